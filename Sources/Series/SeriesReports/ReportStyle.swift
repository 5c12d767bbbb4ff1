/// How the report's page looks: on a light screen, a dark one, a small one, and on paper.
enum ReportStyle {
  static let sheet = """
    :root { --page: #fff; --ink: #1b1f24; --soft: #5b6470; --line: #d8dde3; --tile: #f4f6f8; --bar: #2f6fb7;
      --fail: #c8501e; --good: #1a7f4b; --bad: #b3261e; --open: #8a5a00 }
    @media (prefers-color-scheme: dark) { :root { --page: #15181c; --ink: #e6e9ed; --soft: #9aa4b0; --line: #343b44;
      --tile: #1e2329; --bar: #6aa5e8; --fail: #f08a5b; --good: #5cc98d; --bad: #ff8a80; --open: #e5b454 } }
    * { box-sizing: border-box }
    body { margin: 0 auto; padding: 2rem 1.5rem 3rem; max-width: 1240px; background: var(--page); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }
    h1 { margin: 0; font-size: 1.7rem; line-height: 1.2 }
    h2 { margin: 2.2rem 0 .6rem; font-size: 1.15rem }
    header p { margin: .3rem 0 1.2rem; color: var(--soft); overflow-wrap: anywhere }
    header b { color: var(--ink); font-weight: 600 }
    .verdict { padding: .7rem 1rem; border: 1px solid; border-left-width: 6px; border-radius: 6px }
    .verdict ul { margin: .4rem 0 0; padding-left: 1.2rem }
    .verdict.good { border-color: var(--good) } .verdict.good b { color: var(--good) }
    .verdict.bad { border-color: var(--bad) } .verdict.bad b { color: var(--bad) }
    .verdict.open { border-color: var(--open) } .verdict.open b { color: var(--open) }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: .7rem; margin: 1rem 0 }
    .tiles div { padding: .7rem .9rem; background: var(--tile); border-radius: 6px }
    .tiles b { display: block; font-size: 1.5rem; line-height: 1.25; font-weight: 600; white-space: nowrap }
    .tiles span { color: var(--soft); font-size: .85rem }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: .7rem }
    figure { margin: 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 6px; break-inside: avoid }
    figcaption { margin-bottom: .5rem; font-weight: 600 }
    svg { display: block; width: 100%; max-width: 640px; height: auto; font-size: 13px }
    svg text { fill: var(--ink) } svg .value { fill: var(--soft) }
    .bar { fill: var(--bar); background: var(--bar) } .fail { fill: var(--fail); background: var(--fail) }
    .grid { stroke: var(--line) }
    .none, .key { margin: .3rem 0 0; color: var(--soft); font-size: .85rem }
    .key i { display: inline-block; width: .75em; height: .75em; margin: 0 .35em 0 .9em; border-radius: 2px }
    .key i:first-child { margin-left: 0 }
    table { width: 100%; border-collapse: collapse; font-size: .85rem }
    th { padding: .35rem .6rem .35rem 0; border-bottom: 2px solid var(--line); color: var(--soft); font-weight: 600;
      text-align: left; vertical-align: bottom }
    th.n { text-align: right }
    td { padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
      overflow-wrap: anywhere; unicode-bidi: isolate }
    tr { break-inside: avoid }
    .w, .c { white-space: nowrap }
    .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal }
    .c { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .78rem }
    .s { font-weight: 600 } .s.written { color: var(--good) } .s.failed, .s.scrap { color: var(--bad) }
    .s.held, .s.reserved, .s.released { color: var(--open) } .s.pending, .s.left { color: var(--soft) }
    .rest { margin: .3rem 0 .6rem; color: var(--soft) }
    .sign { margin: 1.6rem 0; padding: .9rem 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; break-inside: avoid }
    .sign h2 { margin-top: 0 } .sign td, .sign th { border: 0; padding: .5rem 1.2rem .5rem 0; font-size: .9rem }
    .sign .head code { overflow-wrap: anywhere } .sign .qr { width: 9rem; background: #fff }
    .sign td.blank { border-bottom: 1px solid var(--ink); min-width: 10em; height: 2.4em }
    footer { margin-top: 2rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere }
    @media screen and (max-width: 760px) { table { display: block; overflow-x: auto } th, td { white-space: nowrap } }
    @media print { :root { --page: #fff; --ink: #000; --soft: #444; --line: #bbb; --tile: #f4f4f4; --bar: #2f6fb7;
      --fail: #c8501e; --good: #0b5d33; --bad: #93160f; --open: #6b4600 }
      body { max-width: none; padding: 0; font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact }
      table { font-size: 7.5pt } .c { font-size: 7pt } h2 { break-after: avoid } h2.list { break-before: page } thead { display: table-header-group } }
    @page { size: A4 landscape; margin: 14mm }
    """
}
