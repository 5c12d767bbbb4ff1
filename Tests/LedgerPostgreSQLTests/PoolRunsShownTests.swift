import Ledger
import Testing

@testable import LedgerPostgreSQL

@Suite("Which runs of a pool's benches go on")
struct PoolRunsShownTests {
  private func run(
    _ id: UInt8, begun: Int64, ended: Int64? = nil, isShown: Bool = false, isThere: Bool = false
  ) -> SeenRun {
    SeenRun(
      SeriesRun(
        bench: "A", operatorName: "Ann", began: begun, ended: ended, silentSince: 900,
        id: "\(id)"), isShown: isShown, isThere: isThere)
  }

  private func said(_ runs: [SeenRun]) -> [String] {
    SeenRun.decided(runs).map {
      "\($0.id) "
        + ($0.ended.map { "ended \($0)" } ?? $0.silentSince.map { "silent \($0)" } ?? "goes on")
        + ($0.wasCutOff ? ", cut off" : "")
    }
  }

  @Test("the last run of a bench goes on while the bench is there, and is silent then")
  func last() {
    #expect(
      said([run(2, begun: 50, isThere: true), run(1, begun: 10, ended: 40)])
        == ["2 goes on", "1 ended 40"])
    #expect(
      said([run(2, begun: 50), run(1, begun: 10, ended: 40)]) == ["2 silent 900", "1 ended 40"])
  }

  @Test("a run that another has followed was cut off")
  func followed() {
    #expect(
      said([run(1, begun: 10, isThere: true), run(2, begun: 50, isThere: true)])
        == ["2 goes on", "1 ended 50, cut off"])
    #expect(
      said([run(1, begun: 10), run(2, begun: 50, ended: 80)])
        == ["2 ended 80", "1 ended 50, cut off"])
  }

  @Test("a run goes on though its clock was set back")
  func setBack() {
    #expect(
      said([run(2, begun: 5, isShown: true, isThere: true), run(1, begun: 10, ended: 40)])
        == ["2 goes on", "1 ended 40"])
    #expect(
      said([
        run(2, begun: 5, isShown: true, isThere: true), run(1, begun: 10, isThere: true),
      ]) == ["2 goes on", "1 ended 10, cut off"])
  }
}
