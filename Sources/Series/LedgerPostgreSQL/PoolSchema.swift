import Ledger

/// The tables of a pool, and who may do what with them.
package enum PoolSchema {
  /// Of the tables. Those before it had not the whole fact in an event: no database of theirs can
  /// be brought to this version.
  package static let version = 11

  /// Makes the tables.
  ///
  /// What no bench may do stands in the tables themselves: one tag a job, one job a tag, one job a
  /// message, the order of a job's states, epochs that only grow, and that what happened is neither
  /// changed nor taken away (`frame`).
  static let tables =
    [batches, jobs, events, tags, triggers, "INSERT INTO nfcprog.version VALUES (\(version));"]
    .joined(separator: "\n")

  /// So many characters of a job's name are found by an index, which takes no more than 2,700
  /// bytes.
  static let nameLength = 500

  /// Batches, their lists, and who works on them. Each bench has a user of its own: the first one
  /// that works under its name.
  private static let batches = """
    CREATE TABLE nfcprog.batch (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      identity bytea NOT NULL CHECK (length(identity) = 16),
      kind text NOT NULL,
      source text NOT NULL,
      settings text NOT NULL,
      list_digest bytea NOT NULL,
      jobs bigint NOT NULL,
      made timestamptz NOT NULL DEFAULT now(),
      adopted_at bigint NOT NULL DEFAULT 0,
      closed_at bigint
    );

    -- The list's bytes, where a hub has made the batch: benches take it from here.
    CREATE TABLE nfcprog.list (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      piece bigint NOT NULL CHECK (piece >= 0),
      bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 65536),
      PRIMARY KEY (batch, piece)
    );

    CREATE TABLE nfcprog.bench (
      batch bigint NOT NULL REFERENCES nfcprog.batch,
      name text NOT NULL,
      host text NOT NULL,
      alive_until timestamptz NOT NULL,
      owner name,
      PRIMARY KEY (batch, name)
    );

    CREATE TABLE nfcprog.session (
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
    CREATE INDEX session_of_batch ON nfcprog.session (batch, begun_at);

    -- What each station shows now; no record of what happened.
    CREATE TABLE nfcprog.station (
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
      position integer NOT NULL,
      PRIMARY KEY (batch, bench, name)
    );

    -- Requests that came with a key and were carried out: each is noted in the transaction that does
    -- what it asks.
    CREATE TABLE nfcprog.request (
      key text PRIMARY KEY,
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      digest bytea NOT NULL CHECK (length(digest) = 32),
      batch text NOT NULL
    );
    """

  /// In a statement: whether a job waits, claimed or not.
  static let isWaiting = "state || '' IN \(ListedJob.State.pending.words)"

  /// Jobs: the row of the list, and where the job stands. `recalled`: in which epoch the bench that
  /// has the job had it before the database was restored from a backup.
  ///
  /// `job_waiting` is not to be taken for a claim, which asks by the type of tag, too: so its
  /// condition is one that claims do not name.
  private static let jobs = """
    CREATE TABLE nfcprog.job (
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
      line bigint NOT NULL DEFAULT 0,
      place bigint NOT NULL DEFAULT 0,
      records text NOT NULL DEFAULT '[]',
      locks boolean NOT NULL DEFAULT false,
      has_password boolean NOT NULL DEFAULT false,
      columns text NOT NULL DEFAULT '[]',
      tag text,
      message_length bigint,
      uri text,
      day text,
      message bytea,
      is_locked boolean,
      is_protected boolean,
      recalled bigint,
      PRIMARY KEY (batch, number),
      CHECK ((uid IS NOT NULL) = (state IN ('bound', 'held', 'written'))),
      CHECK ((message_digest IS NOT NULL) = (state IN ('bound', 'held', 'written'))),
      CHECK ((bench IS NOT NULL) = (state IN ('claimed', 'bound', 'held', 'written'))),
      CHECK (lease_until IS NULL OR state = 'claimed')
    );
    CREATE UNIQUE INDEX job_of_uid ON nfcprog.job (batch, uid) WHERE uid IS NOT NULL;
    CREATE UNIQUE INDEX job_of_message ON nfcprog.job (batch, message_digest)
      WHERE message_digest IS NOT NULL;
    CREATE INDEX job_of_any_message ON nfcprog.job (message_digest)
      WHERE message_digest IS NOT NULL;
    CREATE INDEX job_of_tag ON nfcprog.job (uid) WHERE uid IS NOT NULL;
    CREATE INDEX job_of_name
      ON nfcprog.job (batch, left(name, \(nameLength)) text_pattern_ops, number);
    CREATE INDEX job_pending ON nfcprog.job (batch, coalesce(wanted_tag, ''), number)
      WHERE state = 'pending';
    CREATE INDEX job_leased ON nfcprog.job (batch, lease_until)
      WHERE state = 'claimed' AND lease_until IS NOT NULL;
    CREATE INDEX job_in_hand ON nfcprog.job (batch, state, number)
      WHERE state IN ('claimed', 'bound', 'held', 'failed');
    CREATE INDEX job_waiting ON nfcprog.job (batch, number) WHERE \(isWaiting);
    CREATE INDEX job_written ON nfcprog.job (batch, number) WHERE state = 'written';
    """

  /// What happened. An event is the whole fact (`Happening`): where a job stands that is on a tag
  /// is what its events make of it (`JobStanding`). `own`: the number that it has at its bench,
  /// where it comes from the bench's journal; benches tell such events in their order.
  private static let events = """
    CREATE TABLE nfcprog.event (
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
      told timestamptz NOT NULL DEFAULT clock_timestamp(),
      tag text,
      steps text,
      session bytea REFERENCES nfcprog.session,
      keys text,
      epoch bigint,
      recalled bigint,
      digest bytea CHECK (length(digest) = 32),
      length bigint,
      link text,
      made_for text,
      locked boolean,
      protected boolean,
      sets_aside boolean NOT NULL DEFAULT false,
      own bigint CHECK (own > 0),
      CHECK (sets_aside OR kind <> 'released'),
      CHECK (NOT sets_aside OR uid IS NOT NULL AND kind IN ('returned', 'released', 'passed'))
    );
    CREATE INDEX event_of_batch ON nfcprog.event (batch, id);
    CREATE UNIQUE INDEX event_of_bench ON nfcprog.event (batch, bench, own) WHERE own IS NOT NULL;
    CREATE INDEX event_of_job ON nfcprog.event (batch, job, id) WHERE job IS NOT NULL;
    CREATE INDEX event_aside ON nfcprog.event (batch, uid, id) WHERE sets_aside;
    CREATE INDEX event_of_tag ON nfcprog.event (uid, id) WHERE uid IS NOT NULL;
    CREATE INDEX event_of_figures ON nfcprog.event (batch, id)
      INCLUDE (kind, cause, tag, uid) WHERE kind IN ('written', 'returned', 'held', 'passed');
    """

  /// Inspections of finished tags.
  private static let tags = """
    CREATE TABLE nfcprog.inspection (
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
    CREATE INDEX inspection_of_job ON nfcprog.inspection (batch, job, id);
    """
}
