import JobLists
import RecordText

/// A record of each job's message, as text in which fields of the list stand: `{code}`, `{COLUMN}`,
/// `{uid}`.
///
///     [.uri("https://example.com/t/{code}?tag={uid}"), .text("Shelf {shelf}")]
public struct RecordTemplate: Hashable, Sendable {
  let record: MessageTemplate.Record

  private init(_ option: RecordOption, _ text: String) {
    record = MessageTemplate.Record(option: option.rawValue, text: text)
  }

  /// A record as an option of `nfcprog write` makes it, with that option's value: `uri`, `text`,
  /// `lang` and `id` (of the records behind or before them), `mime`, `external`, `android-app`,
  /// `smart-poster`, `wifi`, `vcard`, `ndef`. Nil for another name.
  public init?(option: String, _ text: String) {
    guard let option = RecordOption(rawValue: option) else { return nil }
    self.init(option, text)
  }

  /// A URI.
  public static func uri(_ template: String) -> RecordTemplate { RecordTemplate(.uri, template) }

  /// A text, in the language `en` unless the option `lang` stands before it.
  public static func text(_ template: String) -> RecordTemplate { RecordTemplate(.text, template) }

  /// The Android app that a tap opens, by its package name.
  public static func androidApp(_ package: String) -> RecordTemplate {
    RecordTemplate(.androidApp, package)
  }
}
