/// What a bench's user cannot write, though it may write to the tables. Of the seventh version.
extension PoolSchema {
  /// Each bench has a user of its own: the first one that works under a bench's name. What a bench
  /// says of a tag is told in the transaction that changes its job.
  static let guards = """
    ALTER TABLE nfcprog.bench ADD COLUMN IF NOT EXISTS owner name;
    CREATE OR REPLACE TRIGGER event_owner BEFORE INSERT ON nfcprog.event
      FOR EACH ROW EXECUTE FUNCTION nfcprog.own_rows();
    CREATE OR REPLACE TRIGGER session_owner BEFORE INSERT OR UPDATE ON nfcprog.session
      FOR EACH ROW EXECUTE FUNCTION nfcprog.own_rows();
    CREATE OR REPLACE TRIGGER station_owner BEFORE INSERT OR UPDATE ON nfcprog.station
      FOR EACH ROW EXECUTE FUNCTION nfcprog.own_rows();
    DROP TRIGGER IF EXISTS job_told ON nfcprog.job;
    CREATE CONSTRAINT TRIGGER job_told AFTER UPDATE ON nfcprog.job
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN ((old.uid IS DISTINCT FROM new.uid OR old.state <> new.state
        AND (new.uid IS NOT NULL OR 'failed' IN (old.state, new.state)))
        AND NOT nfcprog.is_owner())
      EXECUTE FUNCTION nfcprog.job_told();
    DROP TRIGGER IF EXISTS rows_come ON nfcprog.job;
    CREATE TRIGGER rows_come AFTER INSERT ON nfcprog.job REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION nfcprog.rows_come();

    CREATE INDEX IF NOT EXISTS job_of_any_message ON nfcprog.job (message_digest)
      WHERE message_digest IS NOT NULL;
    DROP INDEX IF EXISTS nfcprog.event_of_failure;
    CREATE INDEX IF NOT EXISTS event_of_figures ON nfcprog.event (batch, id)
      INCLUDE (kind, cause, tag, uid) WHERE kind IN ('written', 'returned', 'held', 'passed');

    DO $$
    DECLARE teller name;
    BEGIN
      FOR teller IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'batch' AND privilege_type = 'INSERT'
          AND grantee NOT IN ('PUBLIC', (SELECT nspowner::regrole::text FROM pg_namespace
            WHERE nspname = 'nfcprog'))
      LOOP
        EXECUTE format($grant$ \(rows(to: "%1$I")) $grant$, teller);
      END LOOP;
      FOR teller IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'event' AND privilege_type = 'INSERT'
          AND grantee NOT IN ('PUBLIC', (SELECT nspowner::regrole::text FROM pg_namespace
            WHERE nspname = 'nfcprog'))
      LOOP
        EXECUTE format($grant$ \(telling(to: "%1$I")) $grant$, teller);
      END LOOP;
    END $$;
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

  /// What benches tell: the number of an event, and when it came, the database says.
  static func telling(to name: String) -> String {
    """
    REVOKE INSERT ON nfcprog.event, nfcprog.inspection, nfcprog.bench, nfcprog.scrap FROM \(name);
    GRANT INSERT (batch, uuid, bench, kind, job, uid, station, reader, cause, text, started_at,
      duration, tag, steps, session, keys) ON nfcprog.event TO \(name);
    GRANT INSERT (uuid, batch, job, uid, reason, result, session, station, reader, cause, text,
      inspected_at) ON nfcprog.inspection TO \(name);
    GRANT INSERT (batch, name, host, alive_until) ON nfcprog.bench TO \(name);
    GRANT INSERT (batch, uid) ON nfcprog.scrap TO \(name);
    """
  }
}
