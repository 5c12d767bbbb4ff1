import ArgumentParser

@main
struct NFCProg: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nfcprog", abstract: "Programs NFC tags through PN532 readers.")
}
