import Ledger
import TagMemory

/// The jobs that several benches share, as a journal that is one bench's sees them: what they know
/// together, and their leave before a tag gets a job.
package protocol JobPool: AnyObject, Sendable {
  /// Is true if what the benches share did not answer last.
  var isAway: Bool { get }
  /// This many jobs had no tag when the pool was last asked.
  var jobsLeft: Int { get }
  /// Counts them anew, where the others can be asked.
  func countAgain()
  /// Calls `handler` now and then with how many those are.
  func onJobsLeft(_ handler: @escaping @Sendable (Int) -> Void)
  /// Returns whether a job waits for a tag; nil where that cannot be found out.
  func isWaiting(_ number: Int) -> Bool?
  /// What is known of a tag.
  func history(of uid: UID) throws(JournalError) -> TagHistory?
  /// The job whose message has this SHA-256.
  func job(holding digest: [UInt8]) throws(JournalError) -> Int?
  /// How many jobs stand where; nil where that cannot be found out.
  func tally() -> Tally?
  /// Looks after the journal's reservations: others may have released them.
  func lookAgain()
  /// Lets failed jobs wait for a tag again; returns how many.
  func retryFailed() throws(JournalError) -> Int

  /// A run of the program begins, which is done before its first tag; and ends.
  func begin(_ session: JournalSession, _ run: BenchRun) throws(JournalError)
  func end()
  /// Something happened that nobody waits for the others to hear of.
  func poke()
  /// Tells what stations of the run show now; nobody waits for the others to hear of that,
  /// either.
  func show(_ stations: [ShownStation])

  /// Reserves a job for `tag` with the leave of the others; `reserveHere` does it by the journal
  /// alone, and gives the jobs that do not fit the tag, too.
  func reserve(
    for tag: PresentedTag, rewriting: Bool, wanted: Int?, _ session: JournalSession,
    _ reserveHere: () throws(JournalError) -> (ReservationOutcome, unfit: [Int])
  ) throws(JournalError) -> ReservationOutcome
  /// Takes a reservation over with the leave of the others.
  func takeUp(
    _ tag: PresentedTag, _ session: JournalSession,
    _ takeUpHere: () throws(JournalError) -> Reservation?
  ) throws(JournalError) -> Reservation?
  /// Has the others know of the event with this number, and of all before it: one that gave the job
  /// to a tag or finished it. Throws `reservationLost` where one of them has the job.
  func confirm(_ event: Int64, ofJob number: Int) throws(JournalError) -> PoolHearing
  /// Makes sure that the tag is a finished one for the others, too, before what an inspection has
  /// found is recorded. Throws `reservationLost` where it is not.
  func mayInspect(_ written: WrittenTag) throws(JournalError)
}

/// Says whether the others have heard what a bench did; if not, they hear it later.
package enum PoolHearing: Hashable, Sendable {
  case heard
  /// What they share did not answer.
  case away
  /// The bench itself could not tell them; why, for people.
  case failed(String)
}
