import Readers
import TagMemory

/// What a survey has learnt of a MIFARE Classic, by what it was for.
enum ClassicSurvey {
  /// The job is none for such a tag.
  case nothing(Geometry)
  /// Every sector, as far as keys are known.
  case whole(ClassicState, Target)
  /// An NDEF tag with its whole message.
  case message(ClassicJobs.Found)
  /// No NDEF tag, and that is all that was asked.
  case noMessage
  /// No NDEF tag; the directory and the trailers that it names.
  case trailers(ClassicState)
  /// What raw blocks are planned on, and they themselves.
  case blocks(ClassicState, [Block: [UInt8]])
  /// What a message or a format is planned on.
  case basis(ClassicBasis, ClassicFormat)
}

extension ClassicFamily {
  static func jobs(_ session: ClassicSession, _ pass: PassContext) throws(Setback) -> ClassicJobs {
    guard let geometry = geometry(of: session.tag) else {
      throw .failure(JobFailure(.mistake(.otherFamily)))
    }
    return ClassicJobs(
      session: session, geometry: geometry, credentials: pass.credentials,
      isThorough: pass.isThorough)
  }

  static func survey(
    _ session: ClassicSession, for job: Job?, knowing known: ClassicSurvey?, _ pass: PassContext
  ) throws(Setback) -> ClassicSurvey {
    var jobs = try jobs(session, pass)
    // A lost answer changes nothing in what the program says of a tag.
    if job?.onlyLooks ?? true { jobs.isThorough = false }
    do throws(ReaderError) {
      switch job {
      case nil: return try findMessage(jobs).map(ClassicSurvey.message) ?? .noMessage
      case .info, .dump: return .whole(try jobs.surveyAll(asksSize: true), session.tag)
      case .read:
        guard var found = try findMessage(jobs) else {
          // No NDEF tag: what it holds instead, somebody's data or nothing, takes a look at all of
          // it.
          return .whole(try jobs.surveyAll(), session.tag)
        }
        try found.readWithOtherKeys()
        return .message(found)
      case .write(_, let options) where options.protection != nil:
        return .nothing(jobs.geometry)
      case .write(let message, let options):
        var format = ClassicFormat()
        format.message = message
        format.encoding = options.encoding
        format.overwrite = options.overwrite
        format.sectors = options.sectors
        format.lock = options.lock
        var found: ClassicJobs.Found?
        if case .message(let message) = known { found = message }
        let basis = try jobs.learn(for: format, keeping: true, from: found)
        return .basis(session.deciding(basis), format)
      case .formatClassic(let format):
        let basis = try jobs.learn(for: format, keeping: false)
        return .basis(session.deciding(basis), format)
      case .resetClassic, .eraseClassic: return .whole(try jobs.surveyForReset(), session.tag)
      case .lock:
        guard let found = try findMessage(jobs, withTrailers: true) else {
          return .trailers(try jobs.surveyTrailers())
        }
        return .message(found)
      case .restore(let restore):
        // A card may have less memory than its SAK says; whether it is the dump's is for the
        // planner.
        var trailers: [Sector: SectorTrailer] = [:]
        if case .classic(let dumped) = restore.image.layout {
          trailers = restore.image.trailers(of: dumped)
        }
        return .whole(try jobs.surveyAll(intending: trailers), session.tag)
      case .writeBlocks(let write):
        // What cannot be planned on any card is refused before one is asked.
        guard let blocks = try? ClassicBlockPlanner.blocks(of: write, on: jobs.geometry) else {
          return .nothing(jobs.geometry)
        }
        return .blocks(try jobs.look(at: blocks), blocks)
      case .protect, .unprotect, .writePages, .formatFeliCa, .formatType4, .resetSDM:
        return .nothing(jobs.geometry)
      }
    } catch {
      throw .reader(error)
    }
  }

  /// The NDEF area with its whole message; nil when the tag has none.
  private static func findMessage(_ jobs: ClassicJobs, withTrailers: Bool = false)
    throws(ReaderError) -> ClassicJobs.Found?
  {
    guard var found = try jobs.find(withTrailers: withTrailers) else { return nil }
    if let end = found.scan.message?.endOffset { _ = try found.read(end) }
    return found
  }
}
