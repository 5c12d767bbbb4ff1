import Readers
import TagMemory

/// Which family a tag belongs to: asked here and nowhere else.
enum FamilyRegistry {
  static var all: [any TagFamily.Type] {
    [ClassicFamily.self, Type2Family.self, Type4Family.self, FeliCaFamily.self]
  }

  /// The family of `target`; nil where none here deals with it.
  static func family(of target: Target) -> (any TagFamily.Type)? {
    all.first { $0.recognises(target) }
  }
}
