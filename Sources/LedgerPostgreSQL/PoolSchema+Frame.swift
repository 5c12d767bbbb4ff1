extension PoolSchema {
  /// What is made whatever is there, and keeps nobody waiting. A released version may replace its
  /// functions, as no bench has to know of that. They set their search path: a bench could else
  /// give `<>` another meaning for them.
  static let frame = """
    CREATE SCHEMA IF NOT EXISTS nfcprog;
    CREATE TABLE IF NOT EXISTS nfcprog.version (version integer PRIMARY KEY);

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
    CREATE OR REPLACE FUNCTION nfcprog.batch_order() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF new.jobs < old.jobs THEN RAISE EXCEPTION 'a batch loses no rows'; END IF;
      IF new.jobs = old.jobs AND new.jobs > 0 AND new.list_digest <> old.list_digest THEN
        RAISE EXCEPTION 'a list changes with its rows';
      END IF;
      IF old.closed_at IS NOT NULL AND new.closed_at IS DISTINCT FROM old.closed_at THEN
        RAISE EXCEPTION 'a batch is closed once';
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.batch_rows() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM nfcprog.batch WHERE id = new.id AND (jobs > 0 AND NOT EXISTS (
          SELECT 1 FROM nfcprog.job WHERE job.batch = new.id AND number = jobs)
        OR EXISTS (SELECT 1 FROM nfcprog.job WHERE job.batch = new.id AND number > jobs))) THEN
        RAISE EXCEPTION 'a batch has as many jobs as it has rows';
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.bench_order() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF new.alive_until > clock_timestamp() + interval '10 minutes' THEN
        RAISE EXCEPTION 'a bench says again and again that it works';
      END IF;
      IF tg_op = 'INSERT' THEN
        new.owner = session_user;
      ELSE
        IF NOT nfcprog.owns(old.batch, old.name) THEN
          RAISE EXCEPTION 'another user works as this bench';
        END IF;
        new.owner = coalesce(old.owner, session_user);
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.session_order() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF old.ended_at IS NOT NULL AND new.ended_at IS DISTINCT FROM old.ended_at THEN
        RAISE EXCEPTION 'a run ends once';
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.inspection_order() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      IF old.result IS NOT NULL AND new IS DISTINCT FROM old
        AND new.result IS DISTINCT FROM 'void' THEN
        RAISE EXCEPTION 'an inspection has one result';
      END IF;
      RETURN new;
    END $$;
    CREATE OR REPLACE FUNCTION nfcprog.stays() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN RAISE EXCEPTION 'what happened is not changed'; END $$;
    \(guardFunctions)
    """
}
