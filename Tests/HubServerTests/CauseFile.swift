import JSON
import Ledger
import Provisioning

/// The page's words for causes and verdicts, as the table of causes makes them.
enum CauseFile {
  static let body: [UInt8] = Array(
    """
    // Made by the hub from the table of causes.

    // A cause as a heading.
    export const CAUSES = \(object(TagCause.allCases.map { ($0.rawValue, $0.row.title) }));

    // What an event says of its tag, by its kind and cause; "" stands for any other cause.
    // "+job": the event names a job.
    export const VERDICTS = {
    \(verdicts.joined(separator: ",\n")),
    };

    """.utf8)

  private static var verdicts: [String] {
    EventKind.allCases.flatMap { kind in
      [false, true].compactMap { hasJob -> String? in
        guard let usual = kind.verdict(nil, hasJob: hasJob) else { return nil }
        let others = TagCause.allCases.compactMap { cause -> (String, String)? in
          let verdict = kind.verdict(cause, hasJob: hasJob) ?? usual
          return verdict == usual ? nil : (cause.rawValue, verdict.rawValue)
        }
        let name = JSONText.quoted(kind.rawValue + (hasJob ? "+job" : ""))
        return "  \(name): \(object([("", usual.rawValue)] + others))"
      }
    }
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(JSONText.quoted($0)):\(JSONText.quoted($1))" }.joined(separator: ",")
      + "}"
  }
}
