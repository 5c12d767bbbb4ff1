import PN532Simulator
import TagDumps
import TagMemory

/// Virtual tags that begin with the memory of a dump.
extension SimulatedTagSpec {
  /// The tag at `index` with the memory of the dump in `file`; nil where that is a virtual tag's
  /// own file, or not there. Throws where the dump cannot be one of such a tag.
  func tagOfDump(at index: Int) throws(VirtualTagError) -> (any StoredTag)? {
    guard let path = file, let bytes = try? Files.read(path), !TagDump.isVirtualTag(bytes),
      DumpFormat(content: bytes) != nil
    else { return nil }
    let dump: TagDump
    do throws(DumpError) {
      dump = try TagDump(parsing: bytes)
    } catch {
      throw .unusableFile(path: path, reason: sentence("\(error)"))
    }
    let wanted = try tag(at: index).product
    if let product = Product.named(wanted), let misfit = dump.misfit(product) {
      throw .unusableFile(
        path: path, reason: "It is no dump of \(product.displayName): \(misfit).")
    }
    return try tag(at: index, holding: DumpedMemory(dump), from: path)
  }
}

extension DumpedMemory {
  fileprivate init(_ dump: TagDump) {
    let image = dump.image
    var rows: [Int: [UInt8?]] = [:]
    for (number, row) in dump.knownRows.enumerated() {
      switch image.place(ofRow: number) {
      case .block(let block): rows[Int(block.index)] = row
      case .page(let page): rows[Int(page.number)] = row
      case .feliCaBlock(let block): rows[Int(block)] = row
      default: break
      }
    }
    let files = image.files.map { (Int($0.file.rawValue), $0.bytes) }
    var registers: [String: Int] = [:]
    for (number, count) in dump.counters { registers["Counter \(number)"] = count }
    if let count = image.feliCaBlock(LiteMemory.writeCount) {
      registers["Write count"] = count.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    self.init(
      uid: image.uid.bytes, rows: rows, files: Dictionary(files) { first, _ in first },
      registers: registers)
  }
}
