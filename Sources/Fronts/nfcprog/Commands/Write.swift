import ArgumentParser
import Bench
import NDEF
import RecordText
import TagProgramming

struct Write: TypedTagCommand {
  static let configuration = CommandConfiguration(
    commandName: "write", abstract: "Write a message of records.",
    discussion: """
        nfcprog write --text Hello --uri https://example.com/t/1
        nfcprog write --vcard @card.vcf

      The records stand in the order of the options, bytes in place (TYPE=text) or in a file (TYPE=@FILE). A blank tag is \
      formatted first.
      """)

  @OptionGroup(title: "Message") var records: RecordOptions

  @OptionGroup(title: "Tag") var leave: LeaveOptions

  @OptionGroup(title: "Tag", visibility: .hidden) var classic: SectorOptions

  @OptionGroup(title: "Tag") var locking: LockOptions

  @OptionGroup(title: "Tag") var tagType: TagTypeOptions

  @OptionGroup(title: "Reader") var line: ReaderOptions
  @OptionGroup(title: "Tag") var access: AccessOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  var consent: NamedFile.Consent { .filesAndTags(leave.force) }

  var loss: Loss? { locking.lock ? .writeAccess : nil }

  func validate() throws {
    guard records.isGiven else {
      throw ValidationError("Give at least one record, such as --uri https://example.com/.")
    }
  }

  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation {
    try prepare(arguments, read: MessageArguments.read)
  }

  /// `read` gives the files that records name.
  func prepare(
    _ arguments: [String], read: @escaping (String) throws(RecordTextError) -> [UInt8]
  ) throws(BenchError) -> Preparation {
    let order = RecordOrder.names(of: RecordOption.names, in: arguments)
    var values = records.values
    let mirrored = try MirrorPlace.expand(values[.uri] ?? [])
    values[.uri] = mirrored.texts
    let (message, remarks) = try MessageArguments.message(
      order: order, values: values, read: read)
    var options = try locking.writeOptions(overwrite: leave.overwrite, force: leave.force)
    options.sparesMessage = leave.ifEmpty
    options.sectors = classic.choice
    options.mirror = try mirrored.place(in: message)
    try locking.requireMirror(options.mirror != nil)
    return Preparation(.write(message, options), remarks)
  }
}
