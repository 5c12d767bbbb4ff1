import Bytes
import CardCrypto
import RecordText
import TagDumps
import TagMemory

/// A whole memory in the place of a message: the file that a row names, and by what its tag is
/// known again.
extension MessageTemplate {
  private static let (imageOption, digestOption, accessOption) =
    ("image", "image-sha256", "image-access")

  /// Is true if the job is a whole memory.
  package var isImage: Bool { records.first?.option == Self.imageOption }

  /// The memory that the row's file holds, and the type of its tag, as far as `type` does not say
  /// it; `path` stands for itself, whatever it is made of. Fails where the file cannot be read, or
  /// cannot be put on each blank tag of that type.
  static func image(
    at path: String, for type: String?, files: MessageFiles
  ) throws(RecordTextError) -> (MessageTemplate, type: String) {
    let name = RecordTextError.plain(path)
    func refusal(_ text: String) -> RecordTextError {
      RecordTextError(.badInput, "\(name) \(text)")
    }
    let dump = try dump(at: path, files)
    guard let product = Product.named(type ?? dump.product.name) else {
      throw refusal(
        "does not say which chip it is of (\(dump.product.displayName)): give its type in a column tag, or with --tag."
      )
    }
    if let misfit = dump.misfit(product) {
      throw refusal("is no memory of \(product.displayName): \(misfit).")
    }
    guard let data = dump.image.data(of: product), dump.image.unfit(for: product) == nil else {
      throw refusal("\(dump.image.unfit(for: product) ?? "has no data").")
    }
    var records = [
      Record(option: imageOption, text: Template.escaped(path)),
      Record(option: digestOption, text: Hex.string(SHA256.hash(data))),
    ]
    if !dump.image.givenAccess.isEmpty {
      records.append(Record(option: accessOption, text: Hex.string(dump.image.givenAccess)))
    }
    return (MessageTemplate(records: records), product.name)
  }

  private static func dump(at path: String, _ files: MessageFiles) throws(RecordTextError)
    -> TagDump
  {
    let bytes = try files.regularBytes(at: path)
    do throws(DumpError) {
      return try TagDump(parsing: bytes)
    } catch {
      throw RecordTextError(.badInput, "\(RecordTextError.plain(path)) is no dump: \(error).")
    }
  }

  /// The dump whose memory a tag of `product` gets; nil where the job is a message. Fails where the
  /// file does not hold the data of which the row was made.
  package func dump(
    for product: Product, files: MessageFiles
  ) throws(RecordTextError) -> TagDump? {
    guard isImage, let path = imagePath else { return nil }
    let dump = try Self.dump(at: path, files)
    guard dump.image.data(of: product).map(SHA256.hash) == imageDigest,
      dump.image.givenAccess == imageAccess
    else {
      throw RecordTextError(
        .badInput,
        "The file \(RecordTextError.plain(path)) has changed since the list was taken up.")
    }
    return dump
  }

  /// The path of the file that holds the memory; nil where the job is a message.
  private var imagePath: String? {
    guard isImage, case .text(let path)? = (try? Template(records[0].text))?.pieces.first else {
      return nil
    }
    return path
  }

  /// SHA-256 of the memory's data, by which its tag is known; nil where the job is a message.
  package var imageDigest: [UInt8]? {
    guard isImage else { return nil }
    return records.first { $0.option == Self.digestOption }.flatMap { try? Hex.bytes($0.text) }
  }

  /// The access conditions that the tag gets (`MemoryImage.givenAccess`).
  package var imageAccess: [UInt8] {
    records.first { isImage && $0.option == Self.accessOption }.flatMap { try? Hex.bytes($0.text) }
      ?? []
  }

  /// The title that people read: the file's name and the first digits of the digest. Two files of
  /// one name have different digits.
  var imageTitle: String? {
    guard let path = imagePath, let digest = imageDigest else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return "\(name) \(Hex.string(digest.prefix(4)))"
  }
}
