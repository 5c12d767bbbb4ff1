import Foundation
import HTTPServing
import HubKit
import Hummingbird

/// What a client sends: a JSON object, or a CSV text.
struct SentBody: Sendable {
  /// The largest list, in bytes. Objects of JSON take many times their size of memory, a CSV text
  /// takes it a few times.
  static let largest = (csv: 64 << 20, json: 16 << 20)

  let bytes: [UInt8]
  private let isCSV: Bool
  /// Holds its place among the bodies of the hub.
  private let share: BodyRoom.Share

  /// `limit`: nil for a list. Throws where there is another content type, or too much of it.
  init(
    _ request: Request, _ context: ServingContext, _ room: BodyRoom, upTo limit: Int? = nil
  ) async throws {
    let type = request.headers[.contentType]?.lowercased().prefix { $0 != ";" }
      .trimmingCharacters(in: .whitespaces)
    guard type == "application/json" || type == "text/csv" else {
      throw Problem(.mediaType, "Send the content type application/json or text/csv.")
    }
    isCSV = type == "text/csv"
    share = room.share()
    bytes = try await CollectedBody.bytes(
      request, context, share, upTo: limit ?? (isCSV ? Self.largest.csv : Self.largest.json),
      hint: limit == nil ? " Send a long list as text/csv, or in pieces: rows can be added." : "")
  }

  // MARK: What it says

  /// An object has all that is said of a batch: what stands in the address would count for nothing.
  func check(_ query: Query) throws {
    guard isCSV || query.isEmpty else {
      throw Problem(
        .badRequest, "The address has parameters: put them into the object, or send text/csv.")
    }
  }

  /// A batch; the query has its members where the body is a CSV text.
  func list(_ query: Query) throws -> HubList {
    guard !isCSV else {
      guard let id = try query.text("id") else {
        throw Problem(.badRequest, "The batch's name stands in the address: ?id=NAME.")
      }
      return HubList(
        id: try Self.checked(id), csv: try text(), template: try query.template("template"),
        tagType: try query.text("tag"), locks: try query.flag("lock") ?? false)
    }
    let sent = try object(["id", "csv", "rows", "template", "tag", "lock"])
    guard let id = sent.id else { throw Problem(.badRequest, "The batch has no id.") }
    // As long as the address may have it.
    if let template = sent.template, !(1...4000).contains(template.unicodeScalars.count) {
      throw HubError.badList(["The template has 1 to 4000 characters."])
    }
    return HubList(
      id: try Self.checked(id), csv: try sent.table(), template: sent.template, tagType: sent.tag,
      locks: sent.lock ?? false)
  }

  /// Rows for a batch that is there, as CSV.
  func rows() throws -> String {
    isCSV ? try text() : try object(["csv", "rows"]).table()
  }

  /// Nothing, or an object without members.
  func checkEmpty() throws {
    if isCSV { throw Self.noJSON }
    if !bytes.isEmpty { _ = try object([]) }
  }

  /// Throws for a name that no address or file could have.
  private static func checked(_ id: String) throws -> String {
    guard (1...100).contains(id.unicodeScalars.count), id != ".", id != "..",
      !id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw Problem(
        .badRequest,
        "A batch's name has 1 to 100 characters, and none of them is a control character.")
    }
    return id
  }

  private func text() throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let wrong = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw Problem(
        .badRequest,
        "Line \(wrong + 1) of the list is not UTF-8; save the table as “CSV UTF-8”.")
    }
    return text
  }

  private func object(_ members: Set<String>) throws -> SentObject {
    guard !isCSV else { throw Self.noJSON }
    // Decoders take UTF-16, too, which has a zero in each sign of JSON.
    guard !bytes.contains(0) else { throw Self.noObject }
    do {
      let decoder = JSONDecoder()
      let names = try decoder.decode(SentObject.Names.self, from: Data(bytes)).names
      if let other = names.first(where: { !members.contains($0) }) {
        throw Problem(
          .badRequest, "The object has a member “\(other.prefix(60))” that is not taken here.")
      }
      let object = try decoder.decode(SentObject.self, from: Data(bytes))
      if let name = RepeatedMember.name(in: bytes) {
        throw Problem(.badRequest, "An object has the member “\(name.prefix(60))” twice.")
      }
      return object
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Self.noObject
    }
  }

  private static let noJSON = Problem(.mediaType, "Send the content type application/json.")
  private static let noObject = Problem(
    .badRequest, "The body is not a JSON object with members of the right types.")
}
