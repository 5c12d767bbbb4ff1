/// What a bench's user cannot write, though it may write to the tables. Of the seventh version.
extension PoolSchema {
  /// Functions of the triggers; they are made anew whatever is there.
  static let guardFunctions = """
    CREATE OR REPLACE FUNCTION nfcprog.is_owner() RETURNS boolean
      LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      RETURN pg_has_role(session_user,
        (SELECT nspowner FROM pg_namespace WHERE nspname = 'nfcprog'), 'MEMBER');
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.owns(batch bigint, name text) RETURNS boolean
      LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      RETURN NOT EXISTS (SELECT 1 FROM nfcprog.bench WHERE bench.batch = $1 AND bench.name = $2
        AND bench.owner <> session_user) OR nfcprog.is_owner();
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.own_rows() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF NOT nfcprog.owns(new.batch, new.bench) THEN
        RAISE EXCEPTION 'another user works as this bench';
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.job_owner() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF new.bench IS NOT NULL
        AND (old.state, old.epoch, old.bench) IS DISTINCT FROM (new.state, new.epoch, new.bench)
        AND NOT nfcprog.owns(new.batch, new.bench) THEN
        RAISE EXCEPTION 'another user works as this bench';
      END IF;
      IF old.uid = new.uid AND old.message_digest = new.message_digest
        AND (new.uri IS DISTINCT FROM old.uri AND old.uri IS NOT NULL
          OR new.message_length IS DISTINCT FROM old.message_length
            AND old.message_length IS NOT NULL
          OR new.day IS DISTINCT FROM old.day AND old.day IS NOT NULL) THEN
        RAISE EXCEPTION 'the same message has the same link';
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.job_told() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    DECLARE job record; last record;
    BEGIN
      SELECT state, uid INTO job FROM nfcprog.job
        WHERE batch = new.batch AND number = new.number;
      SELECT kind, uid INTO last FROM nfcprog.event
        WHERE event.batch = new.batch AND event.job = new.number AND kind <> 'passed'
        ORDER BY id DESC LIMIT 1;
      IF NOT coalesce(CASE job.state
        WHEN 'bound' THEN last.kind IN ('reserved', 'resumed')
        WHEN 'held' THEN last.kind = 'held'
        WHEN 'written' THEN last.kind = 'written'
        WHEN 'failed' THEN last.kind = 'refused'
        ELSE last.kind IN ('returned', 'released', 'retried') END, false)
        OR job.uid IS NOT NULL AND job.uid IS DISTINCT FROM last.uid THEN
        RAISE EXCEPTION 'what becomes of a job is told with it';
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.rows_come() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM (SELECT DISTINCT batch FROM added) AS grown WHERE NOT EXISTS (
        SELECT 1 FROM nfcprog.batch WHERE id = grown.batch
          AND xmin = pg_current_xact_id()::xid)) THEN
        RAISE EXCEPTION 'rows come with the batch that grows by them';
      END IF;
      RETURN NULL;
    END $$;
    """

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
    CREATE OR REPLACE TRIGGER job_owner BEFORE UPDATE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.job_owner();
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
