extension PoolSchema {
  /// What is made whatever is there, and keeps nobody waiting. A version may replace its functions,
  /// as no bench has to know of that. They set their search path: a bench could else
  /// give `<>` another meaning for them.
  static let frame = """
    CREATE SCHEMA IF NOT EXISTS nfcprog;
    CREATE TABLE IF NOT EXISTS nfcprog.version (version integer PRIMARY KEY);

    \(ownership)
    \(jobRules)
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
        PERFORM nfcprog.refuse_others(old.batch, old.name);
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
    """
}
