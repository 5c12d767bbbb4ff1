import Readers
import TagMemory

/// The whole memory out of a Type 2 tag, and into it.
extension Type2Pass {
  func dump(
    _ state: Type2State, version: VersionAnswer?, _ report: inout TagReport
  ) throws(Setback) {
    let target = pass.session.tag
    guard let image = state.image(uid: target.uid) else {
      throw .failure(ProgramFailure(.internalError, "The pages read do not make the tag's memory."))
    }
    var dump = TagDump(image)
    (dump.atqa, dump.sak) = (target.typeA?.atqa, target.sak)
    dump.version = version?.bytes
    let features = state.product.features
    if features.contains(.signature) {
      dump.signature = try optional { () throws(ReaderError) in
        try pass.session.reader.readSignature()
      }
    }
    let counters =
      features.contains(.threeCounters) ? [0, 1, 2] : features.contains(.nfcCounter) ? [2] : []
    for number in counters {
      dump.counters[number] = try optional { () throws(ReaderError) in
        try pass.session.reader.readCounter(UInt8(number))
      }
    }
    report.dump = dump
    report.noteUnknown(
      pages: image.rows.indices.filter { image.row($0) == nil && !state.hidesAlways(page: $0) })
    report.verified = true
    report.result = .read
  }

  /// What the tag answers; nil where it refuses, as a counter does that is off.
  private func optional<Value>(_ body: () throws(ReaderError) -> Value) throws(Setback) -> Value? {
    do throws(ReaderError) {
      try pass.session.wake()
      return try body()
    } catch .exchangeFailed {
      return nil
    } catch {
      throw .reader(error)
    }
  }

  func restore(
    _ job: Restore, _ surveyor: Type2Surveyor, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    var surveyor = surveyor
    if try finishShutting(surveyor, &report, hasWritten: &hasWritten) { return }
    try surveyor.surveyForRestoring()
    describe(surveyor.state, &report)
    let (state, meaning) = (surveyor.state, surveyor.meaning)
    let planner = Type2RestorePlanner(
      state: state, meaning: meaning, uid: pass.session.tag.uid, job: job)
    var program = try planning { () throws(ProgramFailure) in
      let program = try planner.plan()
      try state.requireRights(for: program)
      // Everything was read that shows: a page that did not is under the password, like the configuration.
      guard state.memory.knowsProtection || state.showsEveryPage(of: program) else {
        throw Type2Surveyor.hidesConfiguration
      }
      return program
    }
    try noteRepairs(surveyor, in: &program)
    report.noteNotRestored(planner.leftAlone)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.findings.removeAll { !TagReport.Finding.lasting.contains($0.code) }
    describe(state.applying(program), &report)
  }
}

extension Type2Pass {
  /// An earlier pass has sent what shuts an Ultralight C, the last write of all, and the tag hides it now: that it refuses to be
  /// written is all that can still be seen. False where it shows itself.
  func finishShutting(
    _ surveyor: Type2Surveyor, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) -> Bool {
    var surveyor = surveyor
    guard pass.isThorough, let page = surveyor.state.map.tripleDES?.auth0,
      let bytes = pass.session.sent[.page(page)],
      try surveying({ () throws(ReaderError) in try surveyor.hidesProtection() })
    else { return false }
    var program = TagProgram()
    program.steps = [.checkRefusal(page, bytes)]
    return try pass.carryOut(program, &report, hasWritten: &hasWritten)
  }
}

extension Type2State {
  /// The memory as far as it is known: neither what the chip never shows, nor what a mirror covers. Nil where the UID does not fit.
  func image(uid: UID) -> MemoryImage? {
    let count = min(map.pageCount, 256)
    var bytes = (0..<count).flatMap { number -> [UInt8?] in
      let page = Page(UInt8(number))
      if hidesAlways(page: number) { return secret(page) }
      return memory[page]?.map { $0 } ?? [nil, nil, nil, nil]
    }
    for index in memory.configuration?.mirror?.byteRange ?? 0..<0
    where bytes.indices.contains(index) {
      bytes[index] = nil
    }
    return MemoryImage(.type2(pageCount: count), uid: uid, bytes: bytes)
  }

  /// Whether the chip shows zeros in place of what page `number` holds, or nothing: passwords and keys.
  func hidesAlways(page number: Int) -> Bool {
    let page = Page(UInt8(number))
    return page == map.configuration?.password || page == map.configuration?.passwordAcknowledge
      || map.tripleDES?.key.contains(page) == true
  }

  private func secret(_ page: Page) -> [UInt8?] {
    guard let credential else { return [nil, nil, nil, nil] }
    if page == map.configuration?.password { return credential.password.map { $0 } }
    if page == map.configuration?.passwordAcknowledge {
      return credential.pack.map { $0 } + [0, 0]
    }
    return [nil, nil, nil, nil]
  }
}

extension TagReport {
  /// Says what of a dump is not known.
  mutating func noteUnknown(pages: [Int]) {
    guard !pages.isEmpty else { return }
    findings.append(
      Finding(
        "not-known",
        "\(pages.count == 1 ? "Page" : "Pages") \(NumberRuns.list(pages)) could not be read, or not as stored."
      ))
  }

  /// Says what of a dump was left out.
  mutating func noteNotRestored(_ sentences: [String]) {
    findings += sentences.map { Finding("not-restored", $0) }
  }
}
