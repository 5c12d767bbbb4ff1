import PN532
import TagMemory

/// One way to look for tags that are not of type A: an InListPassiveTarget of its own (UM0701-02,
/// 7.3.5).
enum Poll: Hashable, CaseIterable {
  // In the order of their turns: FeliCa tags that can be written come first, and most of them know
  // both bit rates.
  case feliCa212, typeB, feliCa424, topaz

  var technology: Technology {
    switch self {
    case .feliCa212, .feliCa424: .feliCa
    case .typeB: .typeB
    case .topaz: .topaz
    }
  }

  /// How `tag` is asked for again; nil for type A.
  init?(for tag: Target) {
    switch tag {
    case .typeA: return nil
    case .typeB: self = .typeB
    case .feliCa(let tag): self = tag.bitRate == .kbit424 ? .feliCa424 : .feliCa212
    case .topaz: self = .topaz
    }
  }

  var command: Command {
    switch self {
    case .feliCa212: .listFeliCa(limit: 2, slots: 2)
    case .feliCa424: .listFeliCa(limit: 2, slots: 2, fast: true)
    case .typeB: .listTypeB(limit: 2)
    case .topaz: .listTopaz
    }
  }

  /// The tags in the chip's answer; nil where it is no list of them.
  func targets(in answer: [UInt8]) -> [Target]? {
    switch self {
    case .feliCa212, .feliCa424:
      let rate: FeliCaActivation.BitRate = self == .feliCa424 ? .kbit424 : .kbit212
      return (try? FeliCaTarget.list(parsing: answer))?.map {
        .feliCa(
          FeliCaActivation(
            idm: $0.idm, pmm: $0.pmm, systemCode: $0.systemCode, bitRate: rate))
      }
    case .typeB:
      return (try? TypeBTarget.list(parsing: answer))?.map {
        .typeB(
          TypeBActivation(
            pupi: $0.pupi, applicationData: $0.applicationData, protocolInfo: $0.protocolInfo))
      }
    case .topaz:
      return (try? TopazTarget.list(parsing: answer))?.map {
        .topaz(TopazActivation(atqa: $0.atqa, uid: $0.id))
      }
    }
  }
}
