import NDEF
import TagMemory

/// A directory whose checksum is wrong, and what the rest of the tag says of it.
extension ClassicState {
  /// The directory with what its wrong checksum covers put together again from the sectors; nil
  /// where nothing speaks for an NDEF tag.
  ///
  /// One of its blocks may have lost power while it was programmed, and hold anything; formatters
  /// exist, too, that leave a wrong checksum. What an NFC sector is shows from its key. The area is
  /// the run of those with a message at its start, else the longest. Of other sectors the entry
  /// stays where it names an application and the sector is closed or holds data.
  func repairedDirectory() -> MAD? {
    guard let first = data(of: .mad), let found = directory(verifyingChecksum: false) else {
      return nil
    }
    let runs = nfcRuns(found.version)
    guard let longest = runs.first else { return nil }
    let named = found.nfcSectors(on: geometry)
    let isNDEF = sectors[.mad]?.trailer?.generalPurposeByte.madVersion != nil
    guard isNDEF || named.contains(where: isFormatted) else { return nil }
    let behindName = runs.map { run in Array(run.drop { $0 != named.first }) }
    let area = (runs + behindName).first { message(of: NDEFArea($0)) != nil } ?? longest
    let second = found.version == .two ? data(of: .secondMAD) : nil
    return try? MAD(repairing: first, second: second) { sector, aid in
      if area.contains(sector) { return .nfc }
      return aid.isForeign && !isFormatted(sector) && !isBlank(sector) ? aid : .free
    }
  }

  /// The runs of sectors that open with the NFC key, the longest first.
  private func nfcRuns(_ version: MAD.Version) -> [[Sector]] {
    geometry.nfcSectors(version).split { !isFormatted($0) }.map(Array.init)
      .sorted { NDEFArea($0).byteCount > NDEFArea($1).byteCount }
  }

  private func isFormatted(_ sector: Sector) -> Bool { sectors[sector]?.opener?.key == .nfc }

  /// Returns whether `sector` opens, and every data block of it was read and is zero.
  private func isBlank(_ sector: Sector) -> Bool {
    data(of: sector)?.allSatisfy { $0 == 0 } ?? false
  }

  /// The message of at least one byte that readers can decode in `area`; nil where there is none.
  func message(of area: NDEFArea) -> Message? {
    guard let value = scan(of: area).message?.value, !value.isEmpty else { return nil }
    return try? Message(parsing: value)
  }
}
