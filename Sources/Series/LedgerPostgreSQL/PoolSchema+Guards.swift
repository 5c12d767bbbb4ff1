import Ledger

/// What no user of the database changes by a statement, though it may write to the tables.
extension PoolSchema {
  /// These triggers keep every event, refuse a change of a job, batch, bench, run or inspection
  /// that its order of states does not allow, and refuse a change of a job without its event in
  /// the same transaction.
  static let triggers = """
    CREATE TRIGGER job_order BEFORE UPDATE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.job_order();
    CREATE TRIGGER job_recalled BEFORE UPDATE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.job_recalled();
    CREATE TRIGGER job_stays BEFORE DELETE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.stays();
    CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE ON nfcprog.event
      FOR EACH ROW EXECUTE FUNCTION nfcprog.stays();
    CREATE TRIGGER list_stays BEFORE UPDATE OR DELETE ON nfcprog.list
      FOR EACH ROW EXECUTE FUNCTION nfcprog.stays();
    CREATE TRIGGER batch_order BEFORE UPDATE ON nfcprog.batch
      FOR EACH ROW EXECUTE FUNCTION nfcprog.batch_order();
    CREATE CONSTRAINT TRIGGER batch_rows AFTER INSERT OR UPDATE OF jobs ON nfcprog.batch
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION nfcprog.batch_rows();
    CREATE TRIGGER bench_order BEFORE INSERT OR UPDATE ON nfcprog.bench
      FOR EACH ROW EXECUTE FUNCTION nfcprog.bench_order();
    CREATE TRIGGER session_order BEFORE UPDATE ON nfcprog.session
      FOR EACH ROW EXECUTE FUNCTION nfcprog.session_order();
    CREATE TRIGGER inspection_order BEFORE UPDATE ON nfcprog.inspection
      FOR EACH ROW EXECUTE FUNCTION nfcprog.inspection_order();
    CREATE TRIGGER event_owner BEFORE INSERT ON nfcprog.event
      FOR EACH ROW EXECUTE FUNCTION nfcprog.own_rows();
    CREATE TRIGGER session_owner BEFORE INSERT OR UPDATE ON nfcprog.session
      FOR EACH ROW EXECUTE FUNCTION nfcprog.own_rows();
    CREATE TRIGGER station_owner BEFORE INSERT OR UPDATE ON nfcprog.station
      FOR EACH ROW EXECUTE FUNCTION nfcprog.own_rows();
    CREATE CONSTRAINT TRIGGER job_told AFTER UPDATE ON nfcprog.job
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN ((old.uid IS DISTINCT FROM new.uid OR old.state <> new.state
        AND (new.uid IS NOT NULL OR 'failed' IN (old.state, new.state)))
        AND NOT nfcprog.is_owner())
      EXECUTE FUNCTION nfcprog.job_told();
    CREATE TRIGGER rows_come AFTER INSERT ON nfcprog.job REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION nfcprog.rows_come();
    """

  /// Batches and their rows: where a job stands, and a batch's number, nobody names.
  static func rows(to name: String) -> String {
    """
    REVOKE INSERT ON nfcprog.batch, nfcprog.job FROM \(name);
    GRANT INSERT (name, identity, kind, source, settings, list_digest, jobs, adopted_at)
      ON nfcprog.batch TO \(name);
    GRANT INSERT (\(PoolJob.columns)) ON nfcprog.job TO \(name);
    """
  }

  /// Returns what benches tell: the number of an event, and when it came, the database says.
  static func telling(to name: String) -> String {
    """
    REVOKE INSERT ON nfcprog.event, nfcprog.inspection, nfcprog.bench FROM \(name);
    GRANT INSERT (batch, uuid, bench, kind, job, uid, station, reader, cause, text, started_at,
      duration, tag, steps, session, keys, epoch, recalled, digest, length, link, made_for, locked,
      protected, sets_aside, own) ON nfcprog.event TO \(name);
    GRANT INSERT (uuid, batch, job, uid, reason, result, session, station, reader, cause, text,
      inspected_at) ON nfcprog.inspection TO \(name);
    GRANT INSERT (batch, name, host, alive_until) ON nfcprog.bench TO \(name);
    """
  }
}
