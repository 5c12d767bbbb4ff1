// Whoever works with series works with their lists, journals and reports.
@_exported import JobLists
@_exported import LedgerSQLite
@_exported import SeriesReports
