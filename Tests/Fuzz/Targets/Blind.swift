import Foundation

/// Runs a target on inputs that chance makes of others, whatever code they reach: without libFuzzer
/// and what it counts, several times as many in the same time (`Tests/Fuzz/run --blind`).
///
/// The input of the moment stands in a file that is mapped, so that it is there if the process
/// ends: its length in four bytes, low byte first, then its bytes.
@main
struct Blind {
  private static let longest = 1024

  /// `RUNS SECONDS SEED KEPT INPUT…`, inputs being files or folders; no seconds are no limit.
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count > 4, let runs = Int(arguments[1]), let seconds = Int(arguments[2]),
      let seed = UInt64(arguments[3])
    else { throw Broken("RUNS SECONDS SEED KEPT INPUT…") }
    let inputs = try arguments[5...].flatMap(inputs)
    let room = map(arguments[4])
    var random = SplitMix(state: seed)
    let end = ContinuousClock.now + .seconds(seconds == 0 ? 1_000_000_000 : seconds)
    var done = 0
    while done < runs, done % 256 != 0 || ContinuousClock.now < end {
      let input = change(inputs.randomElement(using: &random) ?? [], by: inputs, using: &random)
      for (place, byte) in input.enumerated() { room[4 + place] = byte }
      for place in 0..<4 { room[place] = UInt8(input.count >> (8 * place) & 0xFF) }
      try Target.check(input)
      done += 1
      if done % 100_000 == 0 { say("\(done) inputs") }
    }
    say("stat::number_of_executed_units: \(done)")
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func inputs(_ path: String) throws -> [[UInt8]] {
    var isFolder: ObjCBool = false
    let manager = FileManager.default
    guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
    let paths =
      isFolder.boolValue
      ? try manager.contentsOfDirectory(atPath: path).sorted().map { path + "/" + $0 } : [path]
    return try paths.map { Array(try Data(contentsOf: URL(filePath: $0))) }
  }

  private static func map(_ path: String) -> UnsafeMutablePointer<UInt8> {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    ftruncate(file, 4 + longest)
    return mmap(nil, 4 + longest, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      .assumingMemoryBound(to: UInt8.self)
  }

  private static func change(
    _ input: [UInt8], by others: [[UInt8]], using random: inout SplitMix
  ) -> [UInt8] {
    var bytes = input
    for _ in 0...Int.random(in: 0..<6, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let isInside = place < bytes.count
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where isInside: bytes[place] = .random(in: 0...255, using: &random)
      case 1 where isInside: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2 where isInside:
        bytes[place] = [0, 1, 2, 3, 0x0F, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random)!
      case 3 where isInside: bytes[place] &+= 1
      case 4 where isInside: bytes.remove(at: place)
      case 5: bytes.insert(.random(in: 0...255, using: &random), at: place)
      case 6:
        // A part of another one.
        let other = others.randomElement(using: &random) ?? []
        let start = Int.random(in: 0...other.count, using: &random)
        let part = other[start...].prefix(Int.random(in: 0...32, using: &random))
        bytes.replaceSubrange(place..<min(bytes.count, place + part.count), with: part)
      default:
        bytes += (0..<Int.random(in: 1...8, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      }
    }
    return Array(bytes.prefix(longest))
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
