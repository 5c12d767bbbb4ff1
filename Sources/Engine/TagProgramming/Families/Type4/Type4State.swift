import TagMemory

/// What was learnt of a tag that speaks ISO-DEP.
struct Type4State: Hashable {
  let uid: UID
  let atqa: UInt16?
  let sak: UInt8?
  /// It is a card of type B, whose UID is its PUPI.
  var isTypeB = false
  var product: Product
  var version: DESFireVersion?
  var parameters: ISODEPParameters
  /// The NDEF application; nil where the tag has none.
  var application: Application?
  /// What it answered to the names of that application that it did not select.
  var refusals: [StatusWord] = []
  /// The card was found, and did not answer when it was selected again: it was asked nothing.
  var isOutOfReach = false
  /// What a card without one is, as far as the names of other applications tell.
  var stranger: String?
  /// What only a DESFire has, where the job needed it.
  var desFire: DESFireState?
  /// Who may do what with the message's file, where the chip tells that.
  var messageSettings: DESFireFileSettings?
  /// The key of an NTAG 424 DNA that may change these rights, where the job needs it and one fits.
  var changeKey: AESKey?
  /// That key was not tried: a tag counts the wrong ones, and a dry run must not.
  var isChangeKeyUntried = false
  /// Keys and mirrors of an NTAG 424 DNA, where the job is about them.
  var proofs: NTAG424State?
  /// What a TagTamper says of its loop, where it was asked and tells whoever has no key.
  var tamper: TamperState?
  /// How often the message of an NTAG 424 DNA was read, where it was asked and tells whoever has no
  /// key.
  var readings: Int?
  /// Is true if that was asked for.
  var wantsReadings = false
  /// An NTAG 424 DNA that no longer takes AES.
  var usesLRP = false
  /// The write password of an ST25TA was refused in this run.
  var isPasswordRefused = false
  /// What this run has sent, by its place.
  var sent: [Place: [UInt8]] = [:]

  /// An NDEF application.
  struct Application: Hashable {
    var naming: NDEFApplication
    /// The capability container as it stands in its file; none where it cannot be read.
    var bytes: [UInt8] = []
    /// What it says; nil where it says nothing that can be used.
    var container: CapabilityFile?
    /// Why not.
    var fault: CapabilityError?
    /// The status with which the tag refused to show it, or the message.
    var refusal: StatusWord?
    var access: BinaryAccess?
    /// The message's file from its start, as far as it was read.
    var known: [UInt8] = []
    /// Other files that were read.
    var others: [FileID: [UInt8]] = [:]
  }
}

extension Type4State.Application {
  var length: MessageLength? { container.flatMap { MessageLength(known, in: $0.message) } }

  /// The bytes of the message, none where the file is empty; nil where its length is reserved or
  /// not all of it was read.
  var message: [UInt8]? {
    guard let container, let length else { return nil }
    let start = container.message.lengthByteCount
    switch length {
    case .empty: return []
    case .message(let count):
      return known.count >= start + count ? Array(known[start..<start + count]) : nil
    case .reserved, .tooLong: return nil
    }
  }

  /// This application once `program` has been carried out.
  func applying(_ program: TagProgram) -> Self {
    guard let container else { return self }
    var result = self
    for step in program.steps {
      guard let (place, bytes) = step.written,
        case .file(container.message.file.rawValue, let offset) = place
      else { continue }
      let missing = max(0, offset + bytes.count - result.known.count)
      result.known += [UInt8](repeating: 0, count: missing)
      result.known.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    return result
  }
}

/// What a DESFire tells of itself beside its NDEF application.
struct DESFireState: Hashable {
  /// Identifiers of its applications, where it lists them.
  var applications: [UInt32] = []
  /// Bytes that no file takes, where it tells.
  var freeMemory: Int?
  /// The card's master key, where one was proven.
  var masterKey: DESFireKey?
  /// The NDEF application, where there is one.
  var application: Application?

  struct Application: Hashable {
    var settings: DESFireKeySettings?
    /// The key that was proven; nil where none fits.
    var key: DESFireKey?
    /// Its files by their numbers.
    var files: [UInt8: DESFireFileSettings] = [:]
  }

  /// The two files of an NDEF application: by their sizes where the usual numbers do not fit.
  struct Files {
    let container: UInt8
    let containerSettings: DESFireFileSettings
    let message: UInt8
    let messageSettings: DESFireFileSettings

    init?(_ files: [UInt8: DESFireFileSettings], of container: CapabilityFile) {
      let size = container.message.byteCount
      let fitting = files.filter { $0.value.byteCount == size }
      let usual = files[DESFireFormat.messageFile]
      let number = usual?.byteCount == size ? DESFireFormat.messageFile : fitting.first?.key
      guard let number, let settings = files[number],
        usual?.byteCount == size || fitting.count == 1
      else { return nil }
      let others = files.keys.filter { $0 != number }.sorted()
      let other = others.first { $0 == DESFireFormat.capabilityFile } ?? others.first
      guard let other, let otherSettings = files[other] else { return nil }
      (message, messageSettings) = (number, settings)
      (self.container, containerSettings) = (other, otherSettings)
    }
  }
}
