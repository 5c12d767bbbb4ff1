import Ledger
import LedgerSQLite
import Provisioning

/// What is said of events where there is no live view: a line for each.
extension LineOutput {
  /// What is said of an event where there is no live view, behind the station.
  static func line(_ event: LineEvent) -> String? {
    switch event.kind {
    case .ready, .stands, .answered, .same, .found, .progress, .ended:
      return nil
    case .early(let uid, let last):
      return
        "TOO EARLY  \(uid)  \(last.orderBeforeNext.uppercased())  It came before the result of the last tag was read; it was not changed."
    case .scanWanted: return "SCAN CODE  scan the code of the item that this tag goes onto"
    case .labelScanWanted: return "SCAN LABEL  scan the label of this tag"
    case .scanned(let code, let answer): return ScanText.line(code, answer)
    case .codeDropped(let job):
      return "CODE DROPPED  \(job.text): another code was scanned before a tag was there for it"
    case .scannerLost(let reason): return "SCANNER AWAY  \(reason)"
    case .scannerBack: return "SCANNER BACK"
    case .finished(let outcome): return line(outcome)
    case .inspection(let inspection): return line(inspection)
    case .printerWanted(let obstacle): return "PRINTER  \(obstacle.what)  \(obstacle.next)"
    case .printerReady: return "PRINTER READY"
    case .severalTags(let uids):
      let names = uids.map(\.description).joined(separator: " and ")
      return "ONE TAG ONLY  several tags are on the reader, \(names); none was changed"
    case .lost(let reason): return "READER AWAY  \(reason)"
    case .back: return "READER BACK"
    }
  }

  static func line(_ inspection: Inspection) -> String {
    let word =
      switch inspection.verdict {
      case .wanted: "INSPECT"
      case .good: "INSPECTED"
      case .bad: "INSPECTION FAILED"
      case .again: "INSPECT AGAIN"
      case .unknown: "NOT INSPECTED"
      }
    let tag = [inspection.tagType, inspection.uid.description].compactMap(\.self)
      .joined(separator: " ")
    let job = inspection.job.map { "job \($0.number) \($0.name)" }
    let good = inspection.verdict == .good ? "it holds what was written" : nil
    return (["\(word)  \(tag)", job, inspection.trouble?.text, good, inspection.next] as [String?])
      .compactMap(\.self).joined(separator: "  ")
  }

  static func line(_ outcome: TagOutcome) -> String {
    let tag = [outcome.tagType, outcome.uid.description].compactMap(\.self).joined(separator: " ")
    let job = outcome.change ?? outcome.job.map { "job \($0.number) \($0.name)" }
    let reason = outcome.trouble?.text
    switch outcome.verdict {
    case .passed:
      let time = "\(Int(outcome.duration / .milliseconds(1))) ms"
      return
        ([
          "PASS  \(tag)", job, outcome.read.map(TagText.content),
          outcome.wasThere ? "it already held this" : nil,
          outcome.audit?.isPutBack == true ? "put back: it holds what it held before" : nil, time,
        ] as [String?])
        .compactMap(\.self).joined(separator: "  ")
    case .failed:
      return
        (["FAIL  \(tag)", reason, outcome.isScrap ? "Set aside as scrap." : nil, outcome.advice]
        as [String?])
        .compactMap(\.self).joined(separator: "  ")
    case .held:
      return (["AGAIN  \(tag)", job, reason, outcome.advice] as [String?]).compactMap(\.self)
        .joined(separator: "  ")
    case .left:
      return (["NOT WRITTEN  \(tag)", reason, outcome.advice] as [String?]).compactMap(\.self)
        .joined(separator: "  ")
    }
  }
}

extension TagOutcome {
  /// What to do next, with the option that asks for it.
  var advice: String? {
    next ?? trouble?.advice
  }
}

extension TagTrouble {
  /// This is what to do next, with its option, where nothing else helps; nil for any other trouble.
  var advice: String? { known == .foreign ? "Use --overwrite to replace it." : nil }
}
