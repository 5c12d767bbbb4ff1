import Foundation
import TagMemory
import TagProgramming
import Testing

@testable import nfcprog

@Suite("Steps of a plan as JSON")
struct PlanStepTests {
  private static let block = Sector(1).firstBlock
  private static let trailer = Sector(1).trailer

  @Test("a step says in fields what it does, and hides keys and passwords alone")
  func fields() throws {
    let secret: [UInt8] = [0xC0, 0xFF, 0xEE, 1, 2, 3]
    let encrypted = secret + [0x7F, 0x07, 0x88, 0x40] + secret
    let secretKey = try #require(DESFireKey(.aes, secret + [UInt8](repeating: 9, count: 10)))
    let steps: [(TagProgram.Step, String)] = [
      (
        .writePage(10, [0x74, 0x2F, 0x31, 0xFE], .content),
        #""action":"write","bytes":"742f31fe","irreversible":false,"page":10,"purpose":"content""#
      ),
      (
        .writePage(43, Array(secret.prefix(4)), .secret),
        #""action":"write","bytes":"********","irreversible":false,"page":43,"purpose":"secret""#
      ),
      (
        .writePage(2, [0, 0, 0xFF, 0xFF], .lock),
        #""action":"write","bytes":"0000ffff","irreversible":true,"page":2,"purpose":"lock""#
      ),
      (
        .checkPages(first: 4, [3, nil, 0xD1, 1, nil, nil, nil, nil]),
        #""action":"read","bytes":"03??d101????????","count":2,"irreversible":false,"page":4,"purpose":"verify""#
      ),
      (
        .authenticate(1, KeyCandidate(.b, Key(secret)!)),
        #""action":"authenticate","block":7,"bytes":"************","irreversible":false,"key":"B","purpose":"open","sector":1"#
      ),
      (
        .writeBlock(Self.trailer, encrypted, .trailer),
        #""action":"write","block":7,"bytes":"************7f078840************","irreversible":false,"purpose":"trailer""#
      ),
      (
        .checkBlock(Self.trailer, encrypted.indices.map { 6...9 ~= $0 ? encrypted[$0] : nil }),
        #""action":"read","block":7,"bytes":"????????????7f078840????????????","count":1,"irreversible":false,"purpose":"verify""#
      ),
      (
        .writeBlock(Self.block, [UInt8](repeating: 0xAB, count: 16), .switchOn),
        #""action":"write","block":4,"bytes":"abababababababababababababababab","irreversible":false,"purpose":"switchOn""#
      ),
      (
        .enterPassword(Array(secret.prefix(4)), pack: [1, 2]),
        #""action":"authenticate","bytes":"********","irreversible":false,"purpose":"open""#
      ),
      (
        .checkRefusal(39, [1, 2, 3, 4]),
        #""action":"probe","bytes":"01020304","irreversible":false,"page":39,"purpose":"verify""#
      ),
      (
        // Whatever a sector trailer is written for, its keys stay hidden.
        .writeBlock(Self.trailer, encrypted, .raw(isIrreversible: false)),
        #""action":"write","block":7,"bytes":"************7f078840************","irreversible":false,"purpose":"raw""#
      ),
      (
        TagProgram.Step(.write([0, 5], .switchOn), at: .file(id: 0xE104, offset: 0)),
        #""action":"write","bytes":"0005","file":"e104","irreversible":false,"offset":0,"purpose":"switchOn""#
      ),
      (
        TagProgram.Step(.check([0xD1, nil, 4]), at: .file(id: 0xE104, offset: 2)),
        #""action":"read","bytes":"d1??04","count":3,"file":"e104","irreversible":false,"offset":2,"purpose":"verify""#
      ),
      (
        TagProgram.Step(
          .write([UInt8](repeating: 0xCD, count: 16), .content), at: .feliCaBlock(1)),
        #""action":"write","block":1,"bytes":"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd","irreversible":false,"purpose":"content""#
      ),
      (
        TagProgram.Step(
          .authenticate(.desFire(number: 0, key: secretKey)), at: .application(0x01_0000)),
        #""action":"authenticate","application":"010000","bytes":"********************************","irreversible":false,"key":"0","purpose":"open""#
      ),
      (
        TagProgram.Step(
          .perform(.init("change key 0", [[0xC4, 0] + secret]), .secret),
          at: .application(0x01_0000)),
        #""action":"command","application":"010000","irreversible":false,"purpose":"secret""#
      ),
    ]
    for (step, wanted) in steps {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let text = String(decoding: try encoder.encode(PlanStepJSON(step)), as: UTF8.self)
      #expect(text.hasPrefix("{" + wanted + ","), "\(text)")
      #expect(!text.lowercased().contains("c0ffee") && !text.lowercased().contains("c0 ff ee"))
    }
  }
}
