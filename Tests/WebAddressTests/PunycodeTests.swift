import Testing

@testable import WebAddress

@Suite("Punycode, RFC 3492")
struct PunycodeTests {
  @Test(
    "encodes the samples of section 7.1",
    arguments: [
      ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
      ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
      ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
      ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
      ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
      ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
      ("TạisaohọkhôngthểchỉnóitiếngViệt", "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"),
      ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
      ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
      ("そのスピードで", "d9juau41awczczp"), ("-> $1.00 <-", "-> $1.00 <--"),
    ])
  func samples(text: String, encoded: String) {
    #expect(Punycode.encode(text) == encoded)
  }

  @Test("leaves ASCII labels alone")
  func ascii() {
    #expect(Punycode.asciiLabel("xn--bcher-kva") == "xn--bcher-kva")
    #expect(Punycode.asciiLabel("bücher") == "xn--bcher-kva")
  }
}
