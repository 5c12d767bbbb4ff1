/// What a user of the database cannot do to jobs, though it may write to their table: functions of
/// the triggers, which are made anew whatever is there.
extension PoolSchema {
  /// Each bench has a user of its own: the first one that works under its name.
  static let ownership = """
    CREATE OR REPLACE FUNCTION nfcprog.is_owner() RETURNS boolean
      LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      RETURN pg_has_role(session_user,
        (SELECT nspowner FROM pg_namespace WHERE nspname = 'nfcprog'), 'MEMBER');
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.refuse_others(batch bigint, name text) RETURNS void
      LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM nfcprog.bench WHERE bench.batch = $1 AND bench.name = $2
        AND bench.owner <> session_user) AND NOT nfcprog.is_owner() THEN
        RAISE EXCEPTION 'another user works as this bench';
      END IF;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.own_rows() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      PERFORM nfcprog.refuse_others(new.batch, new.bench);
      RETURN new;
    END $$;
    """

  /// What may become of a job, and of the rows of a list.
  static let jobRules = """
    CREATE OR REPLACE FUNCTION nfcprog.job_order() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF old.batch <> new.batch OR old.number <> new.number OR old.row_digest <> new.row_digest THEN
        RAISE EXCEPTION 'a job stays what it is';
      END IF;
      IF new.epoch < old.epoch THEN RAISE EXCEPTION 'epochs grow'; END IF;
      -- A bench names its own after a restore: as far ahead as jobs change hands, not to the end.
      IF new.epoch - old.epoch > 1000000
        OR new.recalled IS DISTINCT FROM old.recalled AND new.recalled > new.epoch THEN
        RAISE EXCEPTION 'an epoch is not that much later';
      END IF;
      IF new.lease_until IS DISTINCT FROM old.lease_until
        AND new.lease_until > clock_timestamp() + interval '10 minutes' THEN
        RAISE EXCEPTION 'a lease ends soon';
      END IF;
      IF (old.uid, old.message_digest) IS DISTINCT FROM (new.uid, new.message_digest)
        AND old.uid IS NOT NULL AND new.uid IS NOT NULL THEN
        RAISE EXCEPTION 'a job goes back before it gets another tag or message';
      END IF;
      IF old.state = 'written' AND new.state = 'written' THEN
        RAISE EXCEPTION 'a finished job stays as it is';
      END IF;
      IF new.epoch = old.epoch AND new.bench IS DISTINCT FROM old.bench THEN
        RAISE EXCEPTION 'a job that changes hands has a new epoch';
      END IF;
      IF new.state <> old.state AND old.state || ' ' || new.state NOT IN (
        'pending claimed', 'claimed pending', 'claimed bound', 'claimed failed', 'bound held',
        'bound written', 'bound pending', 'held bound', 'held written', 'held pending',
        'written bound', 'failed pending') THEN
        RAISE EXCEPTION 'a job cannot change its state so';
      END IF;
      IF old.uid = new.uid AND old.message_digest = new.message_digest
        AND (new.uri IS DISTINCT FROM old.uri AND old.uri IS NOT NULL
          OR new.message_length IS DISTINCT FROM old.message_length
            AND old.message_length IS NOT NULL
          OR new.day IS DISTINCT FROM old.day AND old.day IS NOT NULL) THEN
        RAISE EXCEPTION 'the same message has the same link';
      END IF;
      IF new.bench IS NOT NULL
        AND (old.state, old.epoch, old.bench) IS DISTINCT FROM (new.state, new.epoch, new.bench)
        THEN PERFORM nfcprog.refuse_others(new.batch, new.bench);
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.job_recalled() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF new.epoch <> old.epoch AND new.recalled IS NOT DISTINCT FROM old.recalled THEN
        new.recalled = NULL;
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.job_told() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    DECLARE job record; last record;
    BEGIN
      SELECT state, uid, message_digest INTO job FROM nfcprog.job
        WHERE batch = new.batch AND number = new.number;
      SELECT kind, uid, digest INTO last FROM nfcprog.event
        WHERE event.batch = new.batch AND event.job = new.number AND kind <> 'passed'
        ORDER BY id DESC LIMIT 1;
      IF NOT coalesce(CASE job.state
        WHEN 'bound' THEN last.kind IN ('reserved', 'resumed')
        WHEN 'held' THEN last.kind = 'held'
        WHEN 'written' THEN last.kind = 'written'
        WHEN 'failed' THEN last.kind = 'refused'
        ELSE last.kind IN ('returned', 'released', 'retried') END, false)
        OR job.uid IS NOT NULL AND (job.uid IS DISTINCT FROM last.uid
          OR last.kind IN ('reserved', 'written')
            AND job.message_digest IS DISTINCT FROM last.digest) THEN
        RAISE EXCEPTION 'a job changes with an event that says so';
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
}
