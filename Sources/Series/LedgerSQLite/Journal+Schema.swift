import GRDB

extension Journal {
  /// “NFCJ”: what tells a journal from other SQLite files.
  static let applicationID: Int32 = 0x4E46_434A

  /// The versions of the tables. One that has been released is never changed; a later one is added.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in try db.execute(sql: firstVersion) }
    migrator.registerMigration("2") { db in try db.execute(sql: secondVersion) }
    migrator.registerMigration("3") { db in try db.execute(sql: thirdVersion) }
    migrator.registerMigration("4") { db in try db.execute(sql: fourthVersion) }
    migrator.registerMigration("5") { db in try db.execute(sql: fifthVersion) }
    migrator.registerMigration("6") { db in try db.execute(sql: sixthVersion) }
    migrator.registerMigration("7") { db in try db.execute(sql: seventhVersion) }
    return migrator
  }

  /// What no program may do to a journal stands in the tables themselves: one tag a job, one job a
  /// tag, one job a message, the order of a job's states, and that what happened is neither changed
  /// nor taken away.
  private static let firstVersion = """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      settings TEXT NOT NULL,
      adopted_at INTEGER NOT NULL
    ) STRICT;

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
      ended_at INTEGER
    ) STRICT;

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
      CHECK (job IS NOT NULL OR kind = 'passed'),
      CHECK (uid IS NOT NULL OR kind IN ('passed', 'refused', 'retried'))
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
      CHECK (state = 'pending' OR event IS NOT NULL),
      CHECK ((uid IS NOT NULL) = (state IN ('reserved', 'written'))),
      CHECK ((message_digest IS NOT NULL) = (state IN ('reserved', 'written'))),
      CHECK ((message_length IS NOT NULL) = (state IN ('reserved', 'written'))),
      CHECK (uri IS NULL OR state IN ('reserved', 'written')),
      CHECK ((is_locked IS NOT NULL) = (state = 'written')),
      CHECK ((is_protected IS NOT NULL) = (state = 'written'))
    ) STRICT;
    CREATE UNIQUE INDEX job_of_uid ON job (uid) WHERE uid IS NOT NULL;
    CREATE UNIQUE INDEX job_of_message ON job (message_digest) WHERE message_digest IS NOT NULL;
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
    CREATE TRIGGER event_unchanged BEFORE UPDATE ON event
    BEGIN SELECT raise(ABORT, 'events are not changed'); END;
    CREATE TRIGGER event_stays BEFORE DELETE ON event
    BEGIN SELECT raise(ABORT, 'events are not taken away'); END;
    """

  /// What a tag was given is fixed by its reservation: its message as long as it is reserved, and
  /// the day in it for good. The journal has a name of its own, by which lists know it; it
  /// remembers which list it has checked, which tags have a row in a label file, and which results
  /// nobody has taken yet.
  private static let secondVersion = """
    ALTER TABLE job ADD COLUMN day TEXT;
    ALTER TABLE job ADD COLUMN message BLOB CHECK (message IS NULL OR state = 'reserved');

    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      name BLOB NOT NULL
    ) STRICT;
    INSERT INTO identity VALUES (1, randomblob(16));

    CREATE TABLE checked (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      digest BLOB NOT NULL,
      jobs INTEGER NOT NULL,
      longest INTEGER NOT NULL
    ) STRICT;

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

    CREATE TABLE result_due (
      job INTEGER PRIMARY KEY REFERENCES job,
      event INTEGER NOT NULL REFERENCES event
    ) STRICT;
    """
  /// Which keys a tag gets, said without a secret and before the first of them changes; and what
  /// was found when finished tags were laid down anew to be inspected.
  private static let thirdVersion = """
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

    CREATE TABLE inspection (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  /// the pool has not heard yet. Empty in a journal that is no bench's.
  ///
  /// `pool_claim.stage`: `claimed`, its lease runs; `entrusted`, the bench may bind it alone;
  /// `bound` to a tag; `done`, given back; `conflict`, the pool has refused what the bench says.
  private static let fourthVersion = """
    CREATE TABLE pool (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bench TEXT NOT NULL,
      batch BLOB NOT NULL,
      last_told INTEGER
    ) STRICT;

    CREATE TABLE pool_claim (
      job INTEGER PRIMARY KEY REFERENCES job,
      epoch INTEGER NOT NULL,
      stage TEXT NOT NULL CHECK (stage IN ('claimed', 'entrusted', 'bound', 'done', 'conflict'))
    ) STRICT;
    CREATE INDEX pool_claim_free ON pool_claim (stage) WHERE stage IN ('claimed', 'entrusted');

    CREATE TABLE pool_outbox (
      event INTEGER PRIMARY KEY REFERENCES event,
      job INTEGER REFERENCES job,
      was TEXT,
      message_digest BLOB,
      message_length INTEGER,
      uri TEXT,
      day TEXT,
      message BLOB,
      is_locked INTEGER,
      is_protected INTEGER
    ) STRICT;

    CREATE TABLE pool_inspection (
      id INTEGER PRIMARY KEY
    ) STRICT;

    CREATE TRIGGER pool_job_changed AFTER UPDATE OF event ON job
    WHEN new.event IS NOT old.event AND EXISTS (SELECT 1 FROM pool)
    BEGIN
      INSERT INTO pool_outbox VALUES (new.event, new.number, old.state,
        coalesce(new.message_digest, old.message_digest), new.message_length, new.uri, new.day,
        new.message, new.is_locked, new.is_protected);
      UPDATE pool_claim SET stage = CASE WHEN stage = 'conflict' THEN stage
        WHEN new.uid IS NOT NULL THEN 'bound' ELSE 'done' END WHERE job = new.number;
    END;
    CREATE TRIGGER pool_passed AFTER INSERT ON event
    WHEN new.kind = 'passed' AND EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT INTO pool_outbox (event, job) VALUES (new.id, new.job); END;
    CREATE TRIGGER pool_inspection_made AFTER INSERT ON inspection
    WHEN EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT OR IGNORE INTO pool_inspection VALUES (new.id); END;
    CREATE TRIGGER pool_inspection_changed AFTER UPDATE ON inspection
    WHEN EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT OR IGNORE INTO pool_inspection VALUES (new.id); END;
    CREATE TRIGGER pool_inspection_dropped AFTER DELETE ON inspection
    WHEN EXISTS (SELECT 1 FROM pool)
    BEGIN INSERT OR IGNORE INTO pool_inspection VALUES (old.id); END;
    """

  /// The labels of finished tags that a printer prints: `due`, nothing of it was sent; `sent`, it
  /// may be printed; `printed`, the printer has taken it.
  private static let fifthVersion = """
    CREATE TABLE label_print (
      job INTEGER PRIMARY KEY REFERENCES job,
      uid BLOB NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'printed'))
    ) STRICT;
    CREATE INDEX label_print_open ON label_print (state) WHERE state <> 'printed';
    """

  /// What each station shows now; no record of what happened.
  private static let sixthVersion = """
    CREATE TABLE station (
      session INTEGER NOT NULL REFERENCES session,
      name TEXT NOT NULL,
      word TEXT NOT NULL,
      bin TEXT,
      text TEXT,
      job INTEGER,
      uid BLOB,
      since INTEGER NOT NULL,
      PRIMARY KEY (session, name)
    ) STRICT, WITHOUT ROWID;
    """

  /// What tells a run from those of every other journal, also of a copy of this one. Runs of
  /// earlier versions have none.
  private static let seventhVersion = """
    ALTER TABLE session ADD COLUMN mark BLOB CHECK (length(mark) = 16);
    """
}
