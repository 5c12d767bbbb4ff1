/// Who may do what.
extension PoolSchema {
  /// Gives `role` what a bench needs, and no more: no table is made, emptied or dropped with it, no
  /// event changed, no job taken away.
  package static func grants(toBench role: String) -> String {
    let name = quoted(role)
    return """
      GRANT USAGE ON SCHEMA nfcprog TO \(name);
      GRANT SELECT ON ALL TABLES IN SCHEMA nfcprog TO \(name);
      \(rows(to: name))
      \(telling(to: name))
      GRANT INSERT ON nfcprog.session, nfcprog.station TO \(name);
      GRANT UPDATE (state, epoch, bench, lease_until, uid, message_digest, tag, message_length, uri,
        day, message, is_locked, is_protected, recalled) ON nfcprog.job TO \(name);
      GRANT UPDATE (ended_at) ON nfcprog.session TO \(name);
      GRANT UPDATE (result, session, station, reader, cause, text, inspected_at, uid)
        ON nfcprog.inspection TO \(name);
      GRANT UPDATE (host, alive_until) ON nfcprog.bench TO \(name);
      GRANT UPDATE (session, word, bin, text, job, uid, since, position) ON nfcprog.station TO \(name);
      GRANT UPDATE (jobs, list_digest) ON nfcprog.batch TO \(name);
      """
  }

  /// Gives `role` what it needs to look.
  package static func grants(toViewer role: String) -> String {
    let name = quoted(role)
    return """
      GRANT USAGE ON SCHEMA nfcprog TO \(name);
      GRANT SELECT ON ALL TABLES IN SCHEMA nfcprog TO \(name);
      """
  }

  /// Gives `role` what a hub needs that takes batches: to look, and to make, extend and close them.
  package static func grants(toHub role: String) -> String {
    let name = quoted(role)
    return grants(toViewer: role) + "\n" + """
      \(rows(to: name))
      GRANT INSERT ON nfcprog.list TO \(name);
      GRANT INSERT (key, digest, batch) ON nfcprog.request TO \(name);
      GRANT DELETE ON nfcprog.request TO \(name);
      GRANT UPDATE (jobs, list_digest, closed_at) ON nfcprog.batch TO \(name);
      """
  }

  /// As a name in a statement.
  private static func quoted(_ role: String) -> String {
    "\"" + role.replacing("\"", with: "\"\"") + "\""
  }
}
