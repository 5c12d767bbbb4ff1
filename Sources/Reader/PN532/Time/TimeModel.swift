/// What things cost on a real bench, as durations (all figures typical).
///
/// Sources: UM0701-02 (6.2 and 7.2.6: HSU, ten bits a byte), ISO/IEC 14443-3 (6.1 and 6.2: bit and
/// frame delay times, 5 ms guard time), MF1S50YYX_V1 (table of typical times: authentication 2 ms,
/// write 5.5 ms), NTAG213/215/216 (EEPROM 4.1 ms a page), JIS X 6319-4 for FeliCa.
package struct TimeModel: Sendable {
  /// A bit at 106 kbit/s: 128 / 13.56 MHz.
  package var bit = Duration.nanoseconds(9440)
  /// From the end of the reader's frame to the tag's answer, and from there to the next frame.
  package var frameDelay = Duration.microseconds(87)
  /// From field on to the first command.
  package var guardTime = Duration.milliseconds(5)
  /// A REQA or WUPA that nothing answers, with the pause before the next.
  package var emptyRequest = Duration.milliseconds(5)
  /// From REQA to the SAK of a 4-byte UID.
  package var activation = Duration.microseconds(2500)
  /// Each further cascade level, and each collision.
  package var activationStep = Duration.milliseconds(1)
  /// Both passes of a MIFARE Classic authentication.
  package var authentication = Duration.milliseconds(2)
  /// One programming cycle of a MIFARE Classic block (5.5 ms less the frames' time on the air).
  package var classicProgramming = Duration.microseconds(3100)
  /// One programming cycle of any other tag's page or block.
  package var pageProgramming = Duration.microseconds(4100)
  /// The chip's own work on one command.
  package var command = Duration.microseconds(700)
  /// One time slot of a FeliCa polling (JIS X 6319-4).
  package var pollingSlot = Duration.microseconds(1208)
  /// How long a FeliCa tag thinks at least before it answers (JIS X 6319-4).
  package var answerDelay = Duration.microseconds(302)
  /// What an adapter adds to each frame it hands to the host (FTDI's latency timer: 1 to 16 ms).
  /// Default: none.
  package var adapterLatency = Duration.zero

  package init() {}

  /// `bytes` bytes on the air, with start and end of frame and parity bits; CRC not included.
  package func air(bytes: Int) -> Duration { bit * (9 * bytes + 2) }

  /// A FeliCa frame of `bytes` bytes, its length byte among them, with preamble (6),
  /// synchronisation (2) and CRC (2); eight bits a byte.
  package func feliCaFrame(bytes: Int, kilobitsPerSecond rate: Int) -> Duration {
    bit * (8 * (bytes + 10) * 106) / rate
  }

  /// A 4-bit ACK or NAK on the air.
  package var nibble: Duration { bit * 6 }

  /// `bytes` bytes on the serial line.
  package func line(bytes: Int, bitsPerSecond: Int) -> Duration {
    .nanoseconds(bytes * 10 * 1_000_000_000 / bitsPerSecond)
  }
}
