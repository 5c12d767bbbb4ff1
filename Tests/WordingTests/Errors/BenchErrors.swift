import Bench
import SeriesReports

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

/// What a bench cannot use: keys, journals, label files, reports, databases.
extension ErrorTexts {
  private static let secret: KeyValuePairs<String, SecretError> = [
    "notAKey": .notAKey,
    "notAnyKey": .notAnyKey,
    "notAnApplicationKey": .notAnApplicationKey,
    "notAPassword": .notAPassword,
    "notAPack": .notAPack,
    "noName": .noName,
  ]

  static let bench: [ErrorTexts] = [
    ErrorTexts("SecretError", "Bench/Secrets/Secret.swift", secret)
  ]

  private static let file = "batch-17.journal"

  private static let journal: KeyValuePairs<String, JournalError> = [
    "missing": .missing(file),
    "cannotOpen": .cannotOpen(file, reason: "it is a folder"),
    "notAJournal": .notAJournal(file),
    "laterVersion": .laterVersion(file),
    "earlierVersion": .earlierVersion(file),
    "readOnly": .readOnly(file),
    "full": .full(file),
    "busy": .busy(file),
    "gone": .gone(file),
    "replaced": .replaced(file),
    "damaged": .damaged(file, reason: "it is not a database"),
    "failed": .failed(file, reason: "disk I/O error"),
    "sourceChanged": .sourceChanged(SourceDifference()),
    "listHasJournal": .listHasJournal("it was used with the journal batch-16.journal"),
    "copied": .copied(
      file, reason: "it ends with event 12, and this series was at event 20."),
    "benchesJournal": .benchesJournal("bench-1.journal", bench: "bench2-5c1f09aa7d3e4b10"),
    "sourceFailed": .sourceFailed("Standard input cannot be read."),
    "reservationLost": .reservationLost(job: 5),
    "otherMessage": .otherMessage(job: 5),
    "pool": .pool(.away, "The database does not answer: connection refused."),
  ]

  private static let label: KeyValuePairs<String, LabelError> = [
    "cannotOpen": .cannotOpen("labels.csv", reason: "permission is denied"),
    "otherFile": .otherFile("labels.csv"), "converted": .converted("labels.csv"),
    "locked": .locked("labels.csv"),
    "cannotWrite": .cannotWrite("labels.csv", reason: "no space is left"),
    "journal": .journal(.busy(file)),
  ]

  private static let collected: KeyValuePairs<String, CollectedFileError> = [
    "cannotWrite": .cannotWrite("tags.csv", reason: "no space is left"),
    "otherFile": .otherFile("tags.csv"), "locked": .locked("tags.csv"),
  ]

  private static let report: KeyValuePairs<String, ReportError> = [
    "journal": .journal(.busy(file)),
    "cannotWrite": .cannotWrite("report.html", reason: "no space is left"),
  ]

  private static let pool: KeyValuePairs<String, PoolError> = [
    "noLibrary": .noLibrary("libpq.so.5: cannot open shared object file"),
    "badAddress": .badAddress(.noBatch),
    "away": .away("connection refused"),
    "turnedAway": .turnedAway(.noPassword),
    "readOnly": .readOnly,
    "noDatabase": .noDatabase("orders"),
    "noUser": .noUser("line"),
    "notAllowed": .notAllowed("permission denied for table job"),
    "noSchema": .noSchema,
    "otherVersion": .otherVersion(99),
    "otherVersion": .otherVersion(9),
    "otherSchema": .otherSchema,
    "otherEncoding": .otherEncoding("LATIN1"),
    "noBatch": .noBatch("A17"),
    "lostBatch": .lostBatch("A17"),
    "noBench": .noBench("left"),
    "bench": .bench("The journal jobs.journal failed: it is full."),
    "onTag": .onTag(line: 12, "A-0012", batch: "A16", job: 7),
    "otherJobs": .otherJobs("A17"),
    "rowsMissing": .rowsMissing("A17", 2),
    "otherRows": .otherRows("A17"),
    "closed": .closed("A17"),
    "busy": .busy,
    "taken": .taken,
    "copied": .copied,
    "renewed": .renewed,
    "failed": .failed("no space is left on the device"),
  ]

  private static let connection: KeyValuePairs<String, ConnectionFault> = [
    "noRootCertificate": .noRootCertificate("/home/line/.postgresql/root.crt"),
    "notVerified": .notVerified,
    "otherHost": .otherHost("db.factory.example", isFor: "db2.factory.example"),
    "notEncrypted": .notEncrypted,
    "ownCertificate": .ownCertificate("could not read certificate file \"a.crt\""),
    "noEntry": .noEntry(
      user: "line", address: "192.168.7.21", database: "orders", isPlain: false),
    "noPassword": .noPassword,
    "otherPassword": .otherPassword(user: "line", file: "/home/line/.pgpass"),
  ]

  static let journals: [ErrorTexts] = [
    ErrorTexts(
      "CollectedFileError", "Provisioning/Collecting/CollectedFileError.swift", collected),
    ErrorTexts("ConnectionFault", "LedgerPostgreSQL/ConnectionFault.swift", connection),
    ErrorTexts("JournalError", "LedgerSQLite/JournalError.swift", journal),
    ErrorTexts("LabelError", "Provisioning/Labels/LabelError.swift", label),
    ErrorTexts("PoolError", "LedgerPostgreSQL/PoolError.swift", pool),
    ErrorTexts("ReportError", "SeriesReports/ReportFile.swift", report),
  ]
}
