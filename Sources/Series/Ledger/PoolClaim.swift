/// A job that the pool gave to this bench, until its lease is over.
package struct PoolClaim: Hashable, Sendable {
  package let job: Int
  package let epoch: Int64

  package init(job: Int, epoch: Int64) { (self.job, self.epoch) = (job, epoch) }
}
