import Readers

extension TagReader {
  /// Opens a reader through libnfc. `connection` is a libnfc connection string, or the path of a
  /// serial port.
  ///
  /// Throws `cannotOpen` with a reason, `busy`, `boardSilent` or `boardLost`. A healthy serial
  /// board takes about 0.1 s, a dead one less than 2 s. `close` puts the line's speed back.
  public convenience init(
    opening connection: String, speed: LineSpeed = .automatic
  ) throws(ReaderError) {
    self.init(link: try LibNFCLink(opening: connection, speed: speed, memory: .standard))
    do throws(ReaderError) {
      try prepare()
    } catch {
      close()
      throw error
    }
  }
}
