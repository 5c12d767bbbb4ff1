import Bench
import TagMemory

/// One of two memories that are compared, and what it is called.
struct ComparedDump {
  let dump: TagDump
  /// Nil where it is that of the tag on the reader.
  let path: String?

  /// Reads the dump at `path`, of a `product` where somebody says so. Fails with `badInput` where
  /// it cannot be one of that.
  init(file path: String, of product: Product?) throws(BenchError) {
    dump = try TagDump(file: path).called(product, at: path)
    self.path = path
  }

  /// The tag on the reader.
  init(_ dump: TagDump, of product: Product?) {
    var named = dump
    named.named = product
    (self.dump, path) = (named, nil)
  }

  /// What sentences call it.
  var name: String { path ?? "tag \(dump.image.uid)" }
}

extension TagDump {
  /// This dump as one of a `product`; as it is for nil. Fails with `badInput` where it cannot be
  /// one of that.
  func called(_ product: Product?, at path: String) throws(BenchError) -> TagDump {
    guard let product else { return self }
    if let misfit = misfit(product) {
      throw BenchError(.badInput, "\(path) is no dump of \(product.displayName): \(misfit).")
    }
    var dump = self
    dump.named = product
    return dump
  }
}
