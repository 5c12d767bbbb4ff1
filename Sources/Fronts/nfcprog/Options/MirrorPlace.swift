import Bench
import NDEF
import TagMemory

/// URLs one of which may have a place that an NTAG 21x fills in by itself: `{mirror:uid}`.
struct MirrorPlace {
  /// The URLs with the placeholder in the place.
  let texts: [String]
  /// What is shown there; nil where no URL has a place.
  let content: ASCIIMirror.Content?

  /// The only URL.
  var text: String { texts[0] }

  static func expand(_ url: String) throws(BenchError) -> MirrorPlace { try expand([url]) }

  /// Fails with `badInput` for a place that no tag knows, and for several.
  static func expand(_ urls: [String]) throws(BenchError) -> MirrorPlace {
    var (texts, contents) = ([String](), [ASCIIMirror.Content]())
    do throws(MirrorTemplateError) {
      for url in urls {
        let (text, content) = try MirrorTemplate.expand(url)
        texts.append(text)
        if let content { contents.append(content) }
      }
      guard contents.count <= 1 else { throw .several }
    } catch {
      throw BenchError(.badInput, error.sentence + " Nothing was written.")
    }
    return MirrorPlace(texts: texts, content: contents.first)
  }

  /// Where the place stands in `message`; nil without one.
  func place(in message: Message) throws(BenchError) -> MessageMirror? {
    guard let content else { return nil }
    guard let mirror = MessageMirror(placeholderOf: content, in: message.serialize()) else {
      throw BenchError(
        .badInput,
        "The place {mirror:\(content.name)} does not stand in the message as it is. Nothing was written."
      )
    }
    return mirror
  }
}
