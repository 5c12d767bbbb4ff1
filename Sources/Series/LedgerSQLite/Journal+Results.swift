import GRDB

extension Journal {
  /// The finished tags whose result nobody has taken yet, in the order in which they were finished;
  /// without those of other runs that are at work, which hand them on themselves.
  package func resultsDue(for session: JournalSession) throws(JournalError) -> [WrittenTag] {
    try read { db in
      let others = try Self.sessionsAtWork(in: db).subtracting([session.id])
      let sql =
        Self.jobsWithEvents + """
           JOIN result_due ON result_due.job = job.number WHERE job.state = 'written' ORDER BY job.event
          """
      return try Row.fetchAll(db, sql: sql).filter { row in !others.contains(row["session_id"]) }
        .map(Self.writtenTag)
    }
  }

  /// How many finished tags there are whose result nobody has taken.
  package func resultsDue() throws(JournalError) -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM result_due JOIN job ON job.number = result_due.job
          WHERE job.state = 'written'
          """) ?? 0
    }
  }

  /// The result of this job's tag was taken.
  package func noteResultTaken(ofJob number: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "DELETE FROM result_due WHERE job = ?")
        .execute(arguments: [number])
    }
  }
}
