import Bytes
import Readers
import TagMemory
import TagProgramming

/// Raw commands as the command line gives them.
package enum RawArguments {
  /// The bytes of each argument. Where one has fewer bytes than `shortest`, the arguments are one
  /// command that was written in parts. Fails with `badInput` for what is not hexadecimal.
  package static func commands(_ texts: [String], shortest: Int) throws(BenchError) -> [[UInt8]] {
    var commands: [[UInt8]] = []
    for text in texts { commands.append(try bytes(text)) }
    return commands.contains { $0.count < shortest } ? [commands.flatMap(\.self)] : commands
  }

  /// Strict: pairs of digits, spaces between them.
  package static func bytes(_ text: String) throws(BenchError) -> [UInt8] {
    let digits = text.filter { $0 != " " }
    guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else {
      throw BenchError(
        .badInput,
        "\u{201C}\(text)\u{201D} is not hexadecimal. Write bytes such as 00A4040007. Nothing was sent."
      )
    }
    guard digits.count.isMultiple(of: 2), let bytes = try? Hex.bytes(digits) else {
      throw BenchError(
        .badInput,
        "\u{201C}\(text)\u{201D} has \(counted(digits.count, "digit")), an odd number: a byte has two. Nothing was sent."
      )
    }
    return bytes
  }

  /// An APDU of the command line. Fails with `badInput` where its lengths do not agree with its
  /// bytes.
  package static func apdu(_ bytes: [UInt8]) throws(BenchError) -> CommandAPDU {
    guard bytes.count <= TagReader.longestCommand else {
      throw BenchError(
        .badInput,
        """
        The APDU has \(counted(bytes.count, "byte")); a PN532 takes at most \(TagReader.longestCommand). Nothing was sent.
        """)
    }
    do throws(APDUError) {
      return try CommandAPDU(parsing: bytes)
    } catch {
      throw BenchError(
        .badInput, "\(Hex.string(bytes).uppercased()): \(error) Nothing was sent.")
    }
  }
}
