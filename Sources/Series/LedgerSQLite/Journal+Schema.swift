import GRDB

extension Journal {
  /// “NFCJ”: what tells a journal from other SQLite files.
  static let applicationID: Int32 = 0x4E46_434A

  /// What the tables were called before they had an event's whole fact: no journal of theirs can be
  /// brought to this version, as its events do not say enough.
  static let earlierVersions: Set<String> = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]

  /// The versions of the tables. One that has been released is never changed; a later one is added.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("11") { db in
      try db.execute(sql: series + events + tags + pool)
    }
    return migrator
  }

  /// The list, the runs, and what the journal knows of both.
  private static let series = """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      settings TEXT NOT NULL,
      adopted_at INTEGER NOT NULL
    ) STRICT;

    -- By its name lists know the journal.
    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      name BLOB NOT NULL
    ) STRICT;
    INSERT INTO identity VALUES (1, randomblob(16));

    -- The list that was checked last.
    CREATE TABLE checked (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      digest BLOB NOT NULL,
      jobs INTEGER NOT NULL,
      longest INTEGER NOT NULL
    ) STRICT;

    -- The mark tells a run from those of every other journal, also of a copy of this one.
    CREATE TABLE session (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      operator TEXT NOT NULL,
      command TEXT NOT NULL,
      version TEXT NOT NULL,
      host TEXT NOT NULL,
      boot TEXT NOT NULL,
      namespace TEXT NOT NULL,
      process INTEGER NOT NULL,
      process_start INTEGER NOT NULL,
      begun_at INTEGER NOT NULL,
      ended_at INTEGER,
      mark BLOB NOT NULL CHECK (length(mark) = 16)
    ) STRICT;

    -- What each station shows now; no record of what happened.
    CREATE TABLE station (
      session INTEGER NOT NULL REFERENCES session,
      name TEXT NOT NULL,
      word TEXT NOT NULL,
      bin TEXT,
      text TEXT,
      job INTEGER,
      uid BLOB,
      since INTEGER NOT NULL,
      position INTEGER NOT NULL,
      PRIMARY KEY (session, name)
    ) STRICT, WITHOUT ROWID;

    """

  /// What happened, and where that has brought each job. An event is the whole fact (`Happening`),
  /// and a job's row from `state` on is what its events make of it (`JobStanding`); beside that,
  /// `message` is what the tag is to hold, as long as the job is reserved. `before` and `after` are
  /// of a tag from the field, which gets another message.
  ///
  /// What no program may do to a journal stands in the tables themselves: one tag a job, one job a
  /// tag, one job a message, the order of a job's states, and that what happened is neither changed
  /// nor taken away.
  private static let events = """
    CREATE TABLE event (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session,
      kind TEXT NOT NULL CHECK (kind IN ('reserved', 'resumed', 'written', 'returned', 'held', 'passed',
        'refused', 'released', 'retried')),
      job INTEGER REFERENCES job,
      uid BLOB,
      tag TEXT,
      station TEXT,
      reader TEXT,
      cause TEXT,
      text TEXT,
      started_at INTEGER NOT NULL,
      duration INTEGER NOT NULL,
      steps TEXT,
      digest BLOB CHECK (length(digest) = 32),
      length INTEGER,
      link TEXT,
      made_for TEXT,
      locked INTEGER CHECK (locked IN (0, 1)),
      protected INTEGER CHECK (protected IN (0, 1)),
      sets_aside INTEGER NOT NULL DEFAULT 0 CHECK (sets_aside IN (0, 1)),
      echo INTEGER NOT NULL DEFAULT 0 CHECK (echo IN (0, 1)),
      claim INTEGER,
      seal BLOB NOT NULL CHECK (length(seal) = 32),
      CHECK (job IS NOT NULL OR kind = 'passed'),
      CHECK (uid IS NOT NULL OR kind IN ('passed', 'refused', 'retried')),
      CHECK ((digest IS NOT NULL) = (kind IN ('reserved', 'written'))),
      CHECK ((length IS NOT NULL) = (kind = 'reserved')),
      CHECK (link IS NULL OR kind = 'reserved'),
      CHECK (made_for IS NULL OR kind = 'reserved'),
      CHECK ((locked IS NOT NULL) = (kind = 'written')),
      CHECK ((protected IS NOT NULL) = (kind = 'written')),
      CHECK (sets_aside OR kind <> 'released'),
      CHECK (NOT sets_aside OR uid IS NOT NULL AND kind IN ('returned', 'released', 'passed'))
    ) STRICT;
    CREATE INDEX event_of_job ON event (job, id) WHERE job IS NOT NULL;

    CREATE TABLE job (
      number INTEGER PRIMARY KEY CHECK (number > 0),
      line INTEGER NOT NULL,
      offset INTEGER NOT NULL,
      name TEXT NOT NULL,
      records TEXT NOT NULL,
      wanted_tag TEXT,
      locks INTEGER NOT NULL CHECK (locks IN (0, 1)),
      has_password INTEGER NOT NULL CHECK (has_password IN (0, 1)),
      columns TEXT NOT NULL,
      row_digest BLOB NOT NULL,
      state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'reserved', 'written', 'failed')),
      event INTEGER REFERENCES event,
      uid BLOB,
      tag TEXT,
      message_digest BLOB CHECK (length(message_digest) = 32),
      message_length INTEGER,
      uri TEXT,
      is_locked INTEGER CHECK (is_locked IN (0, 1)),
      is_protected INTEGER CHECK (is_protected IN (0, 1)),
      day TEXT,
      message BLOB CHECK (message IS NULL OR state = 'reserved'),
      before BLOB,
      after BLOB,
      CHECK ((before IS NULL) = (after IS NULL)),
      CHECK (state = 'pending' OR event IS NOT NULL),
      CHECK ((uid IS NOT NULL) = (state IN ('reserved', 'written'))),
      CHECK ((message_digest IS NOT NULL) = (state IN ('reserved', 'written'))),
      CHECK ((message_length IS NOT NULL) = (state IN ('reserved', 'written'))),
      CHECK (uri IS NULL OR state IN ('reserved', 'written')),
      CHECK ((is_locked IS NOT NULL) = (state = 'written')),
      CHECK ((is_protected IS NOT NULL) = (state = 'written'))
    ) STRICT;
    CREATE UNIQUE INDEX job_of_uid ON job (uid) WHERE uid IS NOT NULL;
    -- Tags from the field may have held one message before.
    CREATE UNIQUE INDEX job_of_message ON job (message_digest, (before IS NOT NULL) * number)
      WHERE message_digest IS NOT NULL;
    CREATE INDEX job_pending ON job (wanted_tag, number) WHERE state = 'pending';
    CREATE INDEX job_reserved ON job (number) WHERE state = 'reserved';
    CREATE INDEX job_failed ON job (number) WHERE state = 'failed';

    CREATE TABLE scrap (
      uid BLOB PRIMARY KEY,
      event INTEGER NOT NULL REFERENCES event
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER job_order BEFORE UPDATE OF state ON job WHEN old.state || ' ' || new.state NOT IN (
      'pending reserved', 'pending failed', 'reserved reserved', 'reserved written', 'reserved pending',
      'written reserved', 'failed pending')
    BEGIN SELECT raise(ABORT, 'a job cannot change its state so'); END;
    CREATE TRIGGER job_stays BEFORE DELETE ON job
    BEGIN SELECT raise(ABORT, 'jobs are not taken away'); END;
    CREATE TRIGGER job_change_stays BEFORE UPDATE OF before, after ON job WHEN old.before IS NOT NULL
    BEGIN SELECT raise(ABORT, 'what a tag held before is not changed'); END;
    CREATE TRIGGER event_unchanged BEFORE UPDATE ON event
    BEGIN SELECT raise(ABORT, 'events are not changed'); END;
    CREATE TRIGGER event_stays BEFORE DELETE ON event
    BEGIN SELECT raise(ABORT, 'events are not taken away'); END;

    """

  /// What is still to be done about finished tags, and which keys they got: said without a secret
  /// and before the first of them changes.
  private static let tags = """
    CREATE TABLE label_file (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      device INTEGER,
      inode INTEGER,
      upto INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE label_row (
      file INTEGER NOT NULL REFERENCES label_file,
      job INTEGER NOT NULL REFERENCES job,
      uid BLOB NOT NULL,
      PRIMARY KEY (file, job)
    ) STRICT, WITHOUT ROWID;

    -- The labels that a printer prints: `due`, nothing of it was sent; `sent`, it may be printed;
    -- `printed`, the printer has taken it.
    CREATE TABLE label_print (
      job INTEGER PRIMARY KEY REFERENCES job,
      uid BLOB NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'printed'))
    ) STRICT;
    CREATE INDEX label_print_open ON label_print (state) WHERE state <> 'printed';

    -- Tags whose printed label is still to be scanned: their jobs are not done before.
    CREATE TABLE label_check (
      job INTEGER PRIMARY KEY REFERENCES job,
      uid BLOB NOT NULL
    ) STRICT;

    CREATE TABLE result_due (
      job INTEGER PRIMARY KEY REFERENCES job,
      event INTEGER NOT NULL REFERENCES event
    ) STRICT;

    CREATE TABLE key_ring (
      id INTEGER PRIMARY KEY,
      scheme TEXT NOT NULL,
      master TEXT NOT NULL,
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      meta_read INTEGER NOT NULL,
      file_read INTEGER NOT NULL,
      UNIQUE (scheme, master, name, version, meta_read, file_read)
    ) STRICT;

    CREATE TABLE keys_given (
      event INTEGER PRIMARY KEY REFERENCES event,
      job INTEGER NOT NULL REFERENCES job,
      keys INTEGER NOT NULL REFERENCES key_ring,
      before INTEGER NOT NULL REFERENCES key_ring
    ) STRICT;
    CREATE INDEX keys_of_job ON keys_given (job, event);

    -- By its name a pool knows it.
    CREATE TABLE inspection (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name BLOB NOT NULL DEFAULT (randomblob(16)),
      job INTEGER NOT NULL REFERENCES job,
      uid BLOB NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('first', 'every', 'again', 'asked')),
      result TEXT CHECK (result IN ('good', 'bad')),
      session INTEGER REFERENCES session,
      station TEXT,
      reader TEXT,
      cause TEXT,
      text TEXT,
      inspected_at INTEGER,
      CHECK ((result IS NULL) = (session IS NULL)),
      CHECK ((result IS NULL) = (inspected_at IS NULL)),
      CHECK ((cause IS NOT NULL) = (result IS 'bad'))
    ) STRICT;
    CREATE INDEX inspection_of_job ON inspection (job, id);
    CREATE UNIQUE INDEX inspection_due ON inspection (job) WHERE result IS NULL;

    """

  /// What a bench of a pool keeps on its own disk: which jobs the pool has given to it, and what
  /// the pool has not heard of yet: events behind `told`, but for those by which the bench follows
  /// the pool's own word (`echo`), and inspections. Empty in a journal that is no bench's.
  ///
  /// `pool.told`: the last event that the pool has of this bench, as it said when it was asked
  /// last. Where it has turned out to be older than it was: `heard`, it had heard of events up to
  /// this one before; `doubt`, it may have forgotten what happened up to this one, and which tags
  /// it had set aside itself.
  /// `pool_claim.stage`: `claimed`, its lease runs; `entrusted`, the bench may bind it alone;
  /// `bound` to a tag; `done`, given back.
  private static let pool = """
    CREATE TABLE pool (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bench TEXT NOT NULL,
      batch BLOB NOT NULL,
      told INTEGER NOT NULL,
      heard INTEGER NOT NULL DEFAULT 0,
      doubt INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE pool_claim (
      job INTEGER PRIMARY KEY REFERENCES job,
      epoch INTEGER NOT NULL,
      stage TEXT NOT NULL CHECK (stage IN ('claimed', 'entrusted', 'bound', 'done'))
    ) STRICT;
    CREATE INDEX pool_claim_free ON pool_claim (stage) WHERE stage IN ('claimed', 'entrusted');

    CREATE VIEW untold AS SELECT event.*, session.mark
      FROM event JOIN session ON session.id = event.session
      WHERE event.id > (SELECT told FROM pool) AND (NOT event.echo OR event.sets_aside
        AND event.cause IS NOT 'conflict' AND event.id <= (SELECT doubt FROM pool));

    CREATE TABLE pool_inspection (
      id INTEGER PRIMARY KEY,
      name BLOB NOT NULL
    ) STRICT;

    CREATE TRIGGER pool_inspection_made AFTER INSERT ON inspection
    WHEN EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT OR IGNORE INTO pool_inspection VALUES (new.id, new.name); END;
    CREATE TRIGGER pool_inspection_changed AFTER UPDATE ON inspection
    WHEN EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT OR IGNORE INTO pool_inspection VALUES (new.id, new.name); END;
    CREATE TRIGGER pool_inspection_dropped AFTER DELETE ON inspection
    WHEN EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT OR IGNORE INTO pool_inspection VALUES (old.id, old.name); END;
    """
}
