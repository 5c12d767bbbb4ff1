/// The tables of a pool, and who may do what with them.
package enum PoolSchema {
  /// Of the tables.
  package static var version: Int { versions.count }

  /// What makes the tables of each version out of those of the one before. One that has been
  /// released is never changed; a later one is added. Benches that work on the tables have to wait
  /// for it, so each is run once.
  ///
  /// What no bench may do stands in the tables themselves: one tag a job, one job a tag, one job a
  /// message, the order of a job's states, epochs that only grow, and that what happened is neither
  /// changed nor taken away (`frame`).
  private static let versions = [
    firstVersion, secondVersion, thirdVersion, fourthVersion, fifthVersion, sixthVersion,
    guards,
  ]

  /// Makes this version out of `earlier`; 0 stands for none.
  static func upgrade(from earlier: Int) -> String {
    versions.dropFirst(earlier).joined(separator: "\n")
      + "\nINSERT INTO nfcprog.version SELECT generate_series(\(earlier + 1), \(version));"
  }

  private static let firstVersion = """
    CREATE TABLE IF NOT EXISTS nfcprog.batch (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      identity bytea NOT NULL CHECK (length(identity) = 16),
      kind text NOT NULL,
      source text NOT NULL,
      settings text NOT NULL,
      list_digest bytea NOT NULL,
      jobs bigint NOT NULL,
      made timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE IF NOT EXISTS nfcprog.bench (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      name text NOT NULL,
      host text NOT NULL,
      alive_until timestamptz NOT NULL,
      PRIMARY KEY (batch, name)
    );

    CREATE TABLE IF NOT EXISTS nfcprog.job (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      number bigint NOT NULL CHECK (number > 0),
      name text NOT NULL,
      wanted_tag text,
      row_digest bytea NOT NULL,
      state text NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'claimed', 'bound', 'held', 'written', 'failed')),
      epoch bigint NOT NULL DEFAULT 0,
      bench text,
      lease_until timestamptz,
      uid bytea,
      message_digest bytea CHECK (length(message_digest) = 32),
      PRIMARY KEY (batch, number),
      CHECK ((uid IS NOT NULL) = (state IN ('bound', 'held', 'written'))),
      CHECK ((message_digest IS NOT NULL) = (state IN ('bound', 'held', 'written'))),
      CHECK ((bench IS NOT NULL) = (state IN ('claimed', 'bound', 'held', 'written'))),
      CHECK (lease_until IS NULL OR state = 'claimed')
    );
    CREATE UNIQUE INDEX IF NOT EXISTS job_of_uid ON nfcprog.job (batch, uid) WHERE uid IS NOT NULL;
    CREATE UNIQUE INDEX IF NOT EXISTS job_of_message ON nfcprog.job (batch, message_digest)
      WHERE message_digest IS NOT NULL;
    CREATE INDEX IF NOT EXISTS job_pending ON nfcprog.job (batch, coalesce(wanted_tag, ''), number)
      WHERE state = 'pending';
    CREATE INDEX IF NOT EXISTS job_leased ON nfcprog.job (batch, lease_until)
      WHERE state = 'claimed' AND lease_until IS NOT NULL;
    CREATE INDEX IF NOT EXISTS job_in_hand ON nfcprog.job (batch, state, number)
      WHERE state IN ('claimed', 'bound', 'held', 'failed');

    CREATE TABLE IF NOT EXISTS nfcprog.event (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      uuid bytea NOT NULL UNIQUE CHECK (length(uuid) = 16),
      bench text NOT NULL,
      kind text NOT NULL,
      job bigint,
      uid bytea,
      station text,
      reader text,
      cause text,
      text text,
      started_at bigint NOT NULL,
      duration bigint NOT NULL,
      told timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX IF NOT EXISTS event_of_batch ON nfcprog.event (batch, id);

    CREATE TABLE IF NOT EXISTS nfcprog.scrap (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      uid bytea NOT NULL,
      told timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (batch, uid)
    );

    CREATE OR REPLACE TRIGGER job_order BEFORE UPDATE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.job_order();
    CREATE OR REPLACE TRIGGER event_stays BEFORE UPDATE OR DELETE ON nfcprog.event
      FOR EACH ROW EXECUTE FUNCTION nfcprog.stays();
    CREATE OR REPLACE TRIGGER job_stays BEFORE DELETE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.stays();
    """

  /// What a report needs beside where a job stands: the rows of the list, what tags were given, the
  /// runs of the benches, inspections.
  private static let secondVersion = """
    ALTER TABLE nfcprog.batch ADD COLUMN IF NOT EXISTS adopted_at bigint NOT NULL DEFAULT 0;

    ALTER TABLE nfcprog.job
      ADD COLUMN IF NOT EXISTS line bigint NOT NULL DEFAULT 0,
      ADD COLUMN IF NOT EXISTS place bigint NOT NULL DEFAULT 0,
      ADD COLUMN IF NOT EXISTS records text NOT NULL DEFAULT '[]',
      ADD COLUMN IF NOT EXISTS locks boolean NOT NULL DEFAULT false,
      ADD COLUMN IF NOT EXISTS has_password boolean NOT NULL DEFAULT false,
      ADD COLUMN IF NOT EXISTS columns text NOT NULL DEFAULT '[]',
      ADD COLUMN IF NOT EXISTS tag text,
      ADD COLUMN IF NOT EXISTS message_length bigint,
      ADD COLUMN IF NOT EXISTS uri text,
      ADD COLUMN IF NOT EXISTS day text,
      ADD COLUMN IF NOT EXISTS message bytea,
      ADD COLUMN IF NOT EXISTS is_locked boolean,
      ADD COLUMN IF NOT EXISTS is_protected boolean;

    CREATE TABLE IF NOT EXISTS nfcprog.session (
      id bytea PRIMARY KEY CHECK (length(id) = 16),
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      bench text NOT NULL,
      operator text NOT NULL,
      command text NOT NULL,
      version text NOT NULL,
      host text NOT NULL,
      begun_at bigint NOT NULL,
      ended_at bigint
    );
    CREATE INDEX IF NOT EXISTS session_of_batch ON nfcprog.session (batch, begun_at);

    ALTER TABLE nfcprog.event
      ADD COLUMN IF NOT EXISTS tag text,
      ADD COLUMN IF NOT EXISTS steps text,
      ADD COLUMN IF NOT EXISTS session bytea REFERENCES nfcprog.session,
      ADD COLUMN IF NOT EXISTS keys text;
    CREATE INDEX IF NOT EXISTS event_of_job ON nfcprog.event (batch, job, id)
      WHERE job IS NOT NULL;
    CREATE INDEX IF NOT EXISTS event_of_scrap ON nfcprog.event (batch, uid, id)
      WHERE kind IN ('returned', 'released');

    CREATE TABLE IF NOT EXISTS nfcprog.inspection (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid bytea NOT NULL UNIQUE CHECK (length(uuid) = 16),
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      job bigint NOT NULL,
      uid bytea NOT NULL,
      reason text NOT NULL,
      result text CHECK (result IN ('good', 'bad', 'void')),
      session bytea REFERENCES nfcprog.session,
      station text,
      reader text,
      cause text,
      text text,
      inspected_at bigint
    );
    CREATE INDEX IF NOT EXISTS inspection_of_job ON nfcprog.inspection (batch, job, id);
    """

  /// Batches that are made, extended and closed by a hub, and what a hub asks: where a batch has a
  /// list, benches take it from here.
  ///
  /// `job_waiting` is not to be taken for a claim, which asks by the type of tag, too: so its
  /// condition is one that claims do not name.
  private static let thirdVersion = """
    ALTER TABLE nfcprog.batch ADD COLUMN IF NOT EXISTS closed_at bigint;

    CREATE TABLE IF NOT EXISTS nfcprog.list (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      piece bigint NOT NULL CHECK (piece >= 0),
      bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 65536),
      PRIMARY KEY (batch, piece)
    );
    CREATE OR REPLACE TRIGGER list_stays BEFORE UPDATE OR DELETE ON nfcprog.list
      FOR EACH ROW EXECUTE FUNCTION nfcprog.stays();

    CREATE INDEX IF NOT EXISTS job_waiting ON nfcprog.job (batch, number)
      WHERE state || '' = 'pending';
    CREATE INDEX IF NOT EXISTS job_written ON nfcprog.job (batch, number) WHERE state = 'written';
    CREATE INDEX IF NOT EXISTS job_of_name ON nfcprog.job (batch, name text_pattern_ops, number);
    CREATE INDEX IF NOT EXISTS job_of_tag ON nfcprog.job (uid) WHERE uid IS NOT NULL;
    CREATE INDEX IF NOT EXISTS event_of_tag ON nfcprog.event (uid, id) WHERE uid IS NOT NULL;
    CREATE INDEX IF NOT EXISTS event_of_failure ON nfcprog.event (batch, id)
      WHERE kind IN ('returned', 'held');

    DO $$
    DECLARE reader name;
    BEGIN
      FOR reader IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'batch' AND privilege_type = 'SELECT'
          AND grantee <> 'PUBLIC'
      LOOP
        EXECUTE format('GRANT SELECT ON nfcprog.list TO %I', reader);
      END LOOP;
    END $$;
    """

  /// What each station shows now; no record of what happened.
  private static let fourthVersion = """
    CREATE TABLE IF NOT EXISTS nfcprog.station (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      bench text NOT NULL,
      name text NOT NULL,
      session bytea NOT NULL REFERENCES nfcprog.session,
      word text NOT NULL,
      bin text,
      text text,
      job bigint,
      uid bytea,
      since bigint NOT NULL,
      PRIMARY KEY (batch, bench, name)
    );

    DO $$
    DECLARE reader name; teller name;
    BEGIN
      FOR reader IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'batch' AND privilege_type = 'SELECT'
          AND grantee <> 'PUBLIC'
      LOOP
        EXECUTE format('GRANT SELECT ON nfcprog.station TO %I', reader);
      END LOOP;
      FOR teller IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'session' AND privilege_type = 'INSERT'
          AND grantee <> 'PUBLIC'
      LOOP
        EXECUTE format('GRANT INSERT, UPDATE (session, word, bin, text, job, uid, since)
          ON nfcprog.station TO %I', teller);
      END LOOP;
    END $$;
    """

  /// In which epoch the bench that has a job had it before the database was restored from a backup.
  /// A trigger of its own has it end with that epoch: an earlier program replaces `job_order`.
  private static let fifthVersion = """
    ALTER TABLE nfcprog.job ADD COLUMN IF NOT EXISTS recalled bigint;
    CREATE OR REPLACE TRIGGER job_recalled BEFORE UPDATE ON nfcprog.job
      FOR EACH ROW EXECUTE FUNCTION nfcprog.job_recalled();

    DO $$
    DECLARE teller name;
    BEGIN
      FOR teller IN SELECT DISTINCT grantee FROM information_schema.role_column_grants
        WHERE table_schema = 'nfcprog' AND table_name = 'job' AND column_name = 'epoch'
          AND privilege_type = 'UPDATE' AND grantee <> 'PUBLIC'
      LOOP
        EXECUTE format('GRANT UPDATE (recalled) ON nfcprog.job TO %I', teller);
      END LOOP;
    END $$;
    """

  /// What no word of a bench changes: what a batch, a bench, a run and an inspection have said. And
  /// names of any length: an index takes no more than 2,700 bytes of one.
  private static let sixthVersion = """
    DROP TRIGGER IF EXISTS batch_order ON nfcprog.batch;
    CREATE TRIGGER batch_order BEFORE UPDATE ON nfcprog.batch
      FOR EACH ROW EXECUTE FUNCTION nfcprog.batch_order();
    DROP TRIGGER IF EXISTS batch_rows ON nfcprog.batch;
    CREATE CONSTRAINT TRIGGER batch_rows AFTER INSERT OR UPDATE OF jobs ON nfcprog.batch
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION nfcprog.batch_rows();
    DROP TRIGGER IF EXISTS bench_order ON nfcprog.bench;
    CREATE TRIGGER bench_order BEFORE INSERT OR UPDATE ON nfcprog.bench
      FOR EACH ROW EXECUTE FUNCTION nfcprog.bench_order();
    DROP TRIGGER IF EXISTS session_order ON nfcprog.session;
    CREATE TRIGGER session_order BEFORE UPDATE ON nfcprog.session
      FOR EACH ROW EXECUTE FUNCTION nfcprog.session_order();
    DROP TRIGGER IF EXISTS inspection_order ON nfcprog.inspection;
    CREATE TRIGGER inspection_order BEFORE UPDATE ON nfcprog.inspection
      FOR EACH ROW EXECUTE FUNCTION nfcprog.inspection_order();

    DROP INDEX IF EXISTS nfcprog.job_of_name;
    CREATE INDEX job_of_name ON nfcprog.job (batch, left(name, \(nameLength)) text_pattern_ops, number);

    \(requests)
    """

  /// So many characters of a job's name are found by an index.
  static let nameLength = 500
}
