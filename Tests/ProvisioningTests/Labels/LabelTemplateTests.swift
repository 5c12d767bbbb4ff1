import RecordText
import SeededNumbers
import Testing

@testable import JobLists
@testable import LedgerSQLite
@testable import Provisioning

@Suite("A label's template (ZPL II Programming Guide, ^FH, ^FD, ^CI)")
struct LabelTemplateTests {
  private func label(_ text: String, _ values: [String: String] = [:]) throws -> String {
    let template = try LabelTemplate(text, columns: ["code", "text", "uid"])
    return String(decoding: try template.bytes(values), as: UTF8.self)
  }

  @Test("is filled in, and gets ^FH and ^CI28 where it has none")
  func filled() throws {
    let text = "^XA\n^FO1,2^A0N,3,4^FDa_{code}^FS^FDa_^FS\n^XZ\n"
    #expect(
      try label(text, ["code": "17"])
        == "^XA\n^CI28^FO1,2^A0N,3,4^FH_^FDa_5F17^FS^FDa_^FS\n^XZ\n")
    let own = "^xa^ci28^FH#^fd#41{code}{row.uid}^FS^FN1^FV{uri}^FS^xz"
    #expect(
      try label(own, ["code": "#_", "row.uid": "u", "uri": "_"])
        == "^XA^CI28^FH#^FD#41#23_u^FS^FN1^FH_^FV_5F^FS^XZ")
    #expect(try label("^XA^FD{{x}}>\u{301}^FS^XZ") == "^XA^CI28^FD{x}>\u{301}^FS^XZ")
    #expect(try label("~SD10\n^XA^XZ^XA^XZ") == "~SD10\n^XA^CI28^XZ^XA^CI28^XZ")
    #expect(try label("^XA^CI28^XZ^XA^XZ") == "^XA^CI28^XZ^XA^CI28^XZ")
  }

  @Test("lets no value become a command")
  func safe() throws {
    let evil = "^XZ~JR^XA_41\u{1}\r\n\u{7F}{uid}é"
    #expect(
      try label("^XA^FD{code}^FS^XZ", ["code": evil])
        == "^XA^CI28^FH_^FD_5EXZ_7EJR_5EXA_5F41_01_0D_0A_7F{uid}é^FS^XZ")
    let bars = "^XA^BCN^FD{code}^FS^FD{code}^FS^XZ"
    #expect(
      try label(bars, ["code": "a>5"]) == "^XA^CI28^BCN^FH_^FDa>05^FS^FH_^FDa>5^FS^XZ")
    #expect(
      try label("^XA^BCN^FH>^FD{code}^FS^XZ", ["code": "a>5"])
        == "^XA^CI28^BCN^FH>^FDa>3E05^FS^XZ")
  }

  @Test("of any value has the commands of the template, and the value can be read again")
  func arbitrary() throws {
    var generator = SeededGenerator(seed: 11)
    let alphabet = Array("^~_#>,{}\\&AFXZ0 \u{301}é\u{1F9F7}\u{0}\n".unicodeScalars)
    let template = try LabelTemplate(
      "^XA^FDx{code}_^FS^FH#^FD{text}^FS^XZ", columns: ["code", "text"])
    for _ in 0..<2_000 {
      var value = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        value.append(alphabet.randomElement(using: &generator)!)
      }
      let text = String(value)
      let bytes = try template.bytes(["code": text, "text": text])
      let commands = ZPLCommand.all(
        in: try Template(Template.escaped(String(decoding: bytes, as: UTF8.self))))
      #expect(
        commands.map(\.mark).dropFirst()
          == ["^XA", "^CI", "^FH", "^FD", "^FS", "^FH", "^FD", "^FS", "^XZ"])
      #expect(Self.read(commands[4].plain, "_") == "x\(text)_")
      #expect(Self.read(commands[7].plain, "#") == text)
    }
  }

  /// Text as a printer reads it, hexadecimal behind `indicator`.
  private static func read(_ text: String, _ indicator: Character) -> String {
    let sign = indicator.asciiValue ?? 0
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == sign else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "is refused when it is no label, or cannot be printed safely",
    arguments: [
      ("", "^XA"), ("hello", "^XA"), ("^XA", "^XZ"), ("^XZ^XA", "^XA"), ("^XA^XA^XZ", "^XA"),
      ("x^XA^XZ", "^XA"), ("^XA^FD{serial}^FS^XZ", "{serial}"), ("{code}^XA^XZ", "before ^XA"),
      ("^XA^PQ{code}^XZ", "^PQ"), ("^XA^FX{code}^XZ", "^FX"), ("^XA^CC+^XZ", "^CC"),
      ("^XA~CT+^XZ", "~CT"), ("^XA^cd;^XZ", "^CD"), ("^XA^CI13^XZ", "^CI13"), ("^XA~HS^XZ", "~HS"),
      ("^XA^HH^XZ", "^HH"), ("^XA^FC%^FD{code}^FS^XZ", "^FC"), ("^XA^FE#^FD{code}^FS^XZ", "^FE"),
      ("^XA^FD{code}^SF%^FS^XZ", "^SF"), ("^XA^TBN,9,9^FD{code}^FS^XZ", "^TB"),
      ("~JA^XA^XZ", "~JA"), ("^XA~JR^XZ", "~JR"), ("~JX^XA^XZ", "~JX"), ("^XA^SXA^XZ", "^SX"),
      ("^XA^FD{code^FS^XZ", "braces"),
      ("^XA^BQN,2,2,M^FD{code}^FS^XZ", "QA,{code}"), ("^XA^BQN,2,2^FDx{code}^FS^XZ", "QA,x{code}"),
      ("^XA^bqN,2^FVQ,{code}^FS^XZ", "QA,"), ("^XA^BQN,2^FDAQ,{code}^FS^XZ", "QA,"),
      ("^XA^BQN,2^FDQA{code}^FS^XZ", "QA,"), ("^XA^BQN,2^FDMM,{code}^FS^XZ", "QA,"),
      ("^XA^BQN,2^FDqa,{code}^FS^XZ", "QA,"), ("^XA^BQN,2^FDhttps://a.example/^FS^XZ", "QA,"),
      ("^XA^BQN,2^FH#^FD{code}^FS^XZ", "QA,"), ("^XA^BQN,2^FDD03040C,LA,{code}^FS^XZ", "QA,"),
      ("^XA^BD^FD{code}^FS^XZ", "^BD4"), ("^XA^BD3^FDx{code}^FS^XZ", "^BD4"),
      ("^XA^BCN,90^FD>{code}^FS^XZ", ">"), ("^XA^BCN,90^FD>;12>{code}^FS^XZ", "{code}"),
      ("^XA^FB9,2^FDa\\{code}^FS^XZ", "\\"), ("^XA^B7N,8^FD\\\\\\{code}^FS^XZ", "\\"),
      ("^XA^FH^FD_{code}^FS^XZ", "_"), ("^XA^FH#^FDa#4{code}^FS^XZ", "#4"),
      ("^XA^BXN,5,200,,,,_^FD_{code}^FS^XZ", "_"),
      ("^XA^BOR,7,Y^FD{code}^FS^XZ", "^BO"), ("^XA^B0R,7,y,0^FD{code}^FS^XZ", "^B0"),
    ])
  func refused(_ text: String, names word: String) {
    do throws(LabelTemplateError) {
      _ = try LabelTemplate(text, columns: ["code"])
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.description.contains(word), "\(error)")
    }
  }

  @Test("has a value's escape characters twice in a field block and a Data Matrix")
  func escapes() throws {
    let values = ["code": "a\\&b_c"]
    #expect(
      try label("^XA^FB9,2^FD{code}^FS^FD{code}^FS^XZ", values)
        == "^XA^CI28^FB9,2^FH_^FDa\\\\&b_5Fc^FS^FH_^FDa\\&b_5Fc^FS^XZ")
    #expect(
      try label("^XA^BXN,5,200,,,,_^FD{code}^FS^XZ", values)
        == "^XA^CI28^BXN,5,200,,,,_^FH_^FDa\\&b_5F_5Fc^FS^XZ")
    #expect(
      try label("^XA^BXN,5,200^FD{code}^FS^XZ", values)
        == "^XA^CI28^BXN,5,200^FH_^FDa\\&b_5Fc^FS^XZ")
  }

  @Test(
    "is taken where a two-dimensional code finds its orders in front of the value",
    arguments: [
      ("^BQN,2,2,M", "QA,{code}"), ("^BQN,2", "HA,https://a.example/{code}"), ("^BQ", "MM,A{code}"),
      ("^BQ", "LM,B0006{code}"), ("^BQ,2,10", "D03040C,LA,0123,qr"), ("^BD4", "{code}"),
      ("^BD2", "001840152382802{code}"), ("^BOR,7,N", "{code}"), ("^B0R,7", "{code}"),
      ("^BCN,90", ">;{code}"), ("^BCN,90", ">0{code}>0"), ("^FB9", "\\&{code}"),
      ("^FH", "_41{code}"), ("^FH", "x41{code}"), ("^A0N,9", ">{code}"), ("^A0N,9", "_{code}"),
      ("^BRN,1,5,2,100", "{code}|x"), ("^B7N,8,5", "{code}"), ("^A0N,9", "{code}"),
    ])
  func codes(_ command: String, _ text: String) throws {
    #expect(throws: Never.self) { try label("^XA\(command)^FD\(text)^FS^XZ", ["code": "12"]) }
    // The next field is another.
    #expect(throws: Never.self) {
      try label("^XA\(command)^FD\(text)^FS^FD{code}^FS^XZ", ["code": "12"])
    }
  }

  @Test("has a backslash twice in a PDF417, and no bar in a DataBar")
  func ordersInValues() throws {
    #expect(
      try label("^XA^B7N,8^FD{code}^FS^XZ", ["code": "a\\&b"])
        == "^XA^CI28^B7N,8^FH_^FDa\\\\&b^FS^XZ")
    for (command, value) in [("^BRN,1", "12|34"), ("^BTN", "12,34")] {
      #expect(throws: LabelTemplateError.self) {
        try label("^XA\(command)^FD{code}^FS^XZ", ["code": value])
      }
    }
  }

  @Test("takes no text that is longer than a printer's")
  func long() throws {
    let most = String(repeating: "^", count: LabelTemplate.longestText - 1)
    #expect(try label("^XA^FDx{code}^FS^XZ", ["code": most]).utf8.count > 3 * most.utf8.count)
    #expect(throws: LabelTemplateError.self) {
      try label("^XA^FDx{code}^FS^XZ", ["code": most + "y"])
    }
  }

  @Test("is refused with its row by the check of the list when no printer takes its text")
  func longRow() throws {
    let template = try LabelTemplate("^XA^FD{v}^FS^XZ", columns: ["code", "v"])
    let long = String(repeating: "x", count: 4000)
    let file = try JobFile("code,v\n1,y\n2,\(long)\n")
    var check = JobCheck()
    check.refusal = template.problem
    let report = try check.report(on: file.table(("uri", "https://example.com/t/{code}")))
    #expect(
      report.lines == [
        "line 3: Its label cannot be printed. A text has 4000 bytes; a printer takes 3072."
      ])
  }

  @Test("is refused with its row where the address, several times, is too long")
  func longAddress() throws {
    let template = try LabelTemplate("^XA^FD{uri}{uri}{name}{uri}{uri}^FS^XZ", columns: ["code"])
    let long = String(repeating: "y", count: 800)
    let file = try JobFile("code\n1\n\(long)\n")
    var check = JobCheck()
    check.refusal = template.problem
    let report = try check.report(on: file.table(("uri", "https://example.com/t/{code}")))
    #expect(report.lines.count == 1 && report.lines[0].hasPrefix("line 3: Its label"))
  }

  @Test(
    "is printed again for the jobs that are asked for",
    arguments: [
      ("unsure", .unsure), ("17", .jobs([17...17])), ("1,20-25", .jobs([1...1, 20...25])),
      ("", nil), ("0", nil), ("3-1", nil), ("1-2-3", nil), ("a", nil), ("1,", nil),
    ] as [(String, LabelChoice?)])
  func choice(_ text: String, choice: LabelChoice?) {
    #expect(LabelChoice(parsing: text) == choice)
  }
}
