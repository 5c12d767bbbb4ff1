import Readers
import TagMemory

extension Type4Surveyor {
  /// How often the message of an NTAG 424 DNA was read (SDMReadCtr). GetFileCounters is sent only
  /// where its settings let everybody ask (SDMCtrRet Eh; NT4H2421Gx, 10.7.1 and 10.7.3).
  mutating func surveyReadings() throws(ReaderError) {
    state.wantsReadings = state.product.isNTAG424
    guard let mirror = state.mirror, mirror.mirrorsCounter,
      mirror.counterRetrieval == SDMSettings.everyone, try session.enterApplication() == nil,
      case .bytes(let bytes) = try session.secured(.getFileCounters(2), header: 1, .plain),
      bytes.count >= 3
    else { return }
    state.readings = SUNParts.number(bytes.prefix(3).reversed())
  }
}

extension Type4State {
  /// What `info` says of the counter of an NTAG 424 DNA: its value where the tag tells it without a
  /// key, else who can learn it.
  var readingsDetail: TagDescription.Detail {
    TagDescription.Detail("reading counter", readingsText)
  }

  private var readingsText: String {
    guard let mirror, mirror.mirrorsCounter else {
      return "off: the tag counts once its message shows a counter"
    }
    let most = mirror.limit.map { " of \($0)" } ?? ""
    if let readings { return "\(readings) readings\(most), this one included" }
    // The message shows what it was when it was read, in plain text.
    if let place = mirror.mirrors[.counter], let file = application?.known,
      place.upperBound <= file.count, let shown = SUNParts.bytes(file[place])
    {
      return "\(SUNParts.number(shown)) readings\(most), this one included"
    }
    let who =
      mirror.counterRetrieval == SDMSettings.nobody
      ? "the tag tells it nobody" : "the tag tells it to whoever has key \(mirror.counterRetrieval)"
    return "not known here: \(who); the message has it encrypted with key \(mirror.metaRead)"
  }
}
