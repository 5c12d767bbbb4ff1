import Bytes
import NDEF
import RecordText
import TagMemory
import WebAddress

/// Looks a whole job list through before the first tag: every row is expanded, made a message of,
/// fitted to its type of tag, held to the app that it is to wake if that is asked for, and compared
/// with the rows before it.
///
/// Nothing is written, and a long list takes no more memory than a short one.
package struct JobCheck {
  /// Is true if links are to wake an app.
  package var wake: WakeCheck?
  /// Is true if tags fill the stand-ins of a message in, to prove themselves.
  package var provesTags = false
  /// How many mistakes are kept; the others are counted.
  package var limit = 20
  /// After so many mistakes the rest of a list is not looked at.
  package var patience = Int.max
  /// How sentences call a line of the list.
  package var nameOfLine: (Int) -> String = { "line \($0)" }
  /// Is given how many rows were looked at, after each.
  package var progress: (_ rows: Int) -> Void = { _ in }

  /// Is given every job that can be made of a row, as it is looked at.
  package var found: (PlannedJob) -> Void = { _ in }

  /// Is true if tags are protected whose rows have no password.
  package var protects = false

  /// What else is wrong with a job; nil: nothing.
  package var refusal: (PlannedJob) -> String? = { _ in nil }

  package init() {}

  /// Fails only where the check itself cannot be made; mistakes of the list are in the report.
  package func report(on source: JobSource) throws(JobSourceError) -> JobReport {
    var report = JobReport()
    let duplicates = try Duplicates()
    do throws(Ending) {
      try source.forEachJob { row throws(Ending) in
        do throws(JobSourceError) {
          try look(at: row, source.files, duplicates, &report)
        } catch {
          throw .failed(error)
        }
        if report.isCutShort { throw .cutShort }
      }
    } catch {
      if case .failed(let error) = error { throw error }
    }
    if let wake {
      report.findings = wake.findings
      report.isUndecidedOnly =
        report.problemCount > 0 && wake.undecidedCount == report.problemCount
    }
    report.remarks = source.remarks
    if report.rowCount == 0 {
      report.add(RowError(line: 1, "The list has no jobs."), limit: limit)
    }
    return report
  }

  /// Why the rest of a list is not looked at.
  private enum Ending: Error {
    case failed(JobSourceError)
    case cutShort
  }

  /// Looks at the next row; what is wrong with it, by itself and beside those before it, goes into
  /// `report`.
  package func look(
    at row: Result<PlannedJob, RowError>, _ files: MessageFiles, _ duplicates: Duplicates,
    _ report: inout JobReport
  ) throws(JobSourceError) {
    report.rowCount += 1
    progress(report.rowCount)
    let job: PlannedJob
    let known: [UInt8]
    do throws(RowError) {
      job = try row.get()
      found(job)
      if let refusal = refusal(job) { throw RowError(line: job.line, refusal) }
      if let digest = try imageDigest(of: job) {
        known = digest
      } else {
        let (message, altered) = try self.message(of: job, files)
        report.add(altered)
        known = message.serialize()
        report.longestLength = max(report.longestLength, known.count)
      }
    } catch {
      return add(error, &report)
    }
    if let problem = try duplicates.problem(of: job, known, nameOfLine) { add(problem, &report) }
  }

  private func add(_ problem: RowError, _ report: inout JobReport) {
    report.add(problem, limit: limit)
    report.isCutShort = report.problemCount >= patience
  }

  /// What is wrong with one job, by itself and beside those before it; nil for a good one.
  package func problem(
    of job: PlannedJob, _ files: MessageFiles, _ duplicates: Duplicates
  ) throws(JobSourceError) -> RowError? {
    let known: [UInt8]
    do throws(RowError) {
      if let digest = try imageDigest(of: job) {
        known = digest
      } else {
        known = try self.message(of: job, files).message.serialize()
      }
    } catch {
      return error
    }
    return try duplicates.problem(of: job, known, nameOfLine)
  }

  /// By what the memory of `job` is known, which was found good as its row was read; nil where the
  /// job is a message.
  private func imageDigest(of job: PlannedJob) throws(RowError) -> [UInt8]? {
    guard let digest = job.message.imageDigest else { return nil }
    let what: String? =
      if protects {
        "no password"
      } else if provesTags {
        "no keys"
      } else if wake != nil {
        "no app to wake"
      } else {
        nil
      }
    if let what {
      throw RowError(line: job.line, "Its tag gets a whole memory, and \(what) beside it.")
    }
    return digest
  }

  /// The message of `job` at its longest, found good.
  private func message(
    of job: PlannedJob, _ files: MessageFiles
  ) throws(RowError) -> (message: Message, altered: [AlteredAddress]) {
    let product = job.tagType.flatMap(Product.named)
    let fields = TagFields.longest(
      uidByteCount: product?.longestUIDByteCount ?? 10, number: job.number)
    let message: Message
    let altered: [AlteredAddress]
    let mirror: MessageMirror?
    do throws(RecordTextError) {
      (message, altered) = try job.message.filled(for: fields, files: files)
      mirror = try job.message.mirror(for: fields, files: files)
    } catch {
      throw RowError(
        line: job.line, isUnreadableFile: error.kind == .noInput, error.message)
    }
    if let product { try fit(job, message, mirror, to: product) }
    // One in the middle that stands in the template itself was meant; `RowTemplate` refuses others.
    for link in message.links {
      guard let step = PathSteps.ranges(in: link).last,
        link[step.upperBound...].first.map({ "?#".contains($0) }) ?? true
      else { continue }
      throw RowError(line: job.line, RowTemplate.stepRefusal(link[step]))
    }
    if let wake {
      for shown in shown(job, message, mirror, by: product, files) {
        if let refusal = wake.refusal(of: shown, onForumTag: product?.isForumTag ?? true) {
          throw RowError(line: job.line, refusal)
        }
      }
    }
    return (message, altered)
  }

  /// The message of `job` as tags show it, with the UID of any: one for each length that it may
  /// have.
  private func shown(
    _ job: PlannedJob, _ message: Message, _ mirror: MessageMirror?, by product: Product?,
    _ files: MessageFiles
  ) -> [VaryingMessage] {
    func filled(_ byte: UInt8, _ count: Int) -> [UInt8]? {
      let fields = TagFields.longest(uidByteCount: count, number: job.number, byte: byte)
      return try? job.message.filled(for: fields, files: files).message.serialize()
    }
    return (product.map { [$0.longestUIDByteCount] } ?? [4, 7, 8, 10]).compactMap { count in
      guard let low = filled(0, count), let high = filled(0xFF, count), low.count == high.count
      else { return nil }
      let shown = VaryingMessage(low, mirror: mirror, provesItself: provesTags, uid: nil)
      // Digits of the UID, in either case.
      let fields = low.indices.filter { low[$0] != high[$0] }.map { offset in
        VaryingMessage.Place(
          offset: offset,
          choices: high[offset] == UInt8(ascii: "f")
            ? Array("0123456789abcdef".utf8) : VaryingMessage.digits)
      }
      return VaryingMessage(shown.bytes, shown.places + fields)
    }
  }

  private func fit(
    _ job: PlannedJob, _ message: Message, _ mirror: MessageMirror?, to product: Product
  ) throws(RowError) {
    if let capacity = product.capacity, message.byteCount > capacity {
      throw RowError(
        line: job.line,
        "The message has \(counted(message.byteCount, "byte")); a blank \(product) takes \(capacity)."
      )
    }
    var needs = JobNeeds()
    (needs.mirror, needs.locks) = (mirror?.content, job.locks)
    needs.secretByteCounts = job.hasPassword || protects ? [] : nil
    if let lack = needs.lack(of: product) {
      let isOfAll = lack.column == "password" && !job.hasPassword
      throw RowError(
        line: job.line, column: isOfAll ? nil : lack.column, "\(product) \(lack.words).")
    }
  }
}

extension Message {
  /// What its records lead to.
  var links: [String] {
    records.compactMap { record in
      switch record.content {
      case .uri(let record): record.uri
      case .smartPoster(let poster): poster.uri.uri
      case .absoluteURI(let record): record.uri
      default: nil
      }
    }
  }
}

extension Duplicates {
  /// Returns an error where an earlier job has the same code, or the same message or memory as
  /// `job`, whose digest or bytes are `known`; not where the tag makes the message differ.
  fileprivate func problem(
    of job: PlannedJob, _ known: [UInt8], _ nameOfLine: (Int) -> String
  ) throws(JobSourceError) -> RowError? {
    if let code = job.columns.first(where: { $0.name.lowercased() == "code" }), !code.value.isEmpty,
      let line = try line(ofFirst: Array(code.value.utf8), kind: 0, on: job.line)
    {
      return RowError(
        line: job.line, column: code.name,
        "\(RecordTextError.quoted(code.value)) is the code of \(nameOfLine(line)) too.")
    }
    if let uid = job.uid, let line = try line(ofFirst: uid.bytes, kind: 2, on: job.line) {
      let column = job.columns.first { $0.name.lowercased() == "uid" }?.name
      return RowError(
        line: job.line, column: column, "\(uid) is the tag of \(nameOfLine(line)) too.")
    }
    if (try? job.message.isUniqueForEachTag()) == true { return nil }
    let access = job.message.imageAccess
    let hasTwin = try line(ofFirst: known + access, kind: 3, on: job.line) != nil
    guard let line = try line(ofFirst: known, kind: 1, on: job.line) else { return nil }
    if !hasTwin {
      return RowError(
        line: job.line,
        "It has the same data as \(nameOfLine(line)), with other access conditions: a tag is known by its data, so one of the two cannot be told from the other."
      )
    }
    let what = job.message.isImage ? "memory" : "message"
    return RowError(line: job.line, "It has the same \(what) as \(nameOfLine(line)).")
  }
}

extension Product {
  /// The longest UID of such tags, in bytes.
  fileprivate var longestUIDByteCount: Int {
    switch memory {
    case .classic, .type2: 7
    case .type3: 8
    case .type4: 10
    }
  }
}
