import Testing

@testable import RecordText

@Suite("A media type and its content in one argument")
struct MediaArgumentTests {
  @Test(
    "parameters belong to the type, and the content begins behind them",
    arguments: [
      ("text/plain=a=b", "text/plain", "a=b"),
      ("text/plain; charset=utf-8=ok", "text/plain; charset=utf-8", "ok"),
      ("text/plain;charset=utf-8;format=flowed==", "text/plain;charset=utf-8;format=flowed", "="),
      (#"text/x;name="a=b;c"=1;2"#, #"text/x;name="a=b;c""#, "1;2"),
      ("text/plain=a;b=c", "text/plain", "a;b=c"),
    ])
  func parts(_ text: String, _ type: String, _ content: String) throws {
    let (name, value) = try BytesArgument.splitMedia(text)
    #expect((name, value) == (type, content))
  }

  @Test(
    "a type with parameters and no content is refused",
    arguments: ["text/plain; charset=utf-8", "text/plain;charset", "text/plain;a=\"b"])
  func none(_ text: String) {
    #expect(throws: RecordTextError.self) { try BytesArgument.splitMedia(text) }
  }
}
