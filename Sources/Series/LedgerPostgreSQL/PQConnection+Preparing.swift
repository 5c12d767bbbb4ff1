/// What is looked at before tables are made and rights are given.
extension PQConnection {
  /// Throws where another program has made tables in the schema. Those of each version of nfcprog
  /// have these two.
  func checkSchema() throws(PoolError) {
    let tables = try query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'nfcprog'"
    ).compactMap { $0[0] }
    guard tables.isEmpty || Set(tables).isSuperset(of: ["version", "batch"]) else {
      throw .otherSchema
    }
  }

  /// Throws where the server has no such user.
  func checkUser(_ name: String) throws(PoolError) {
    let known = try query("SELECT 1 FROM pg_roles WHERE rolname = $1", [.text(name)])
    if known.isEmpty { throw .noUser(name) }
  }
}
