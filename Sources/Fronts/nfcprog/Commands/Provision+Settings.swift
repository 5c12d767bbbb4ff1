import ArgumentParser
import Bench
import JobLists
import Line
import Provisioning

/// The options of a line, as values of the libraries.
extension Provision {
  func settings(
    _ console: Console, _ preferences: Preferences
  ) throws(BenchError) -> ProvisioningSettings {
    var write = try locking.writeOptions(overwrite: replacing.overwrite)
    try locking.requireMirror(
      ([list.source.template].compactMap(\.self) + list.records.uri).contains {
        $0.contains("{mirror:")
      })
    write.sectors = classic.choice
    // Stand-ins in the places of the template that an NTAG 424 DNA fills in as it is read.
    var list = list
    if let template = list.source.template {
      let expanded = try proof.expand(template, hasList: true)
      list.source.template = expanded.text
      write.personalisation = expanded.personalisation
    }
    var choice =
      list.source.isGiven
      ? try list.choice(locks: write.lock, arguments: preferences.arguments) : .ofPool
    choice.settings.keyColumns = try proof.keyColumns()
    choice.settings.oldKeyColumns = try proof.oldKeyColumns()
    choice.settings.content = content.lint
    for file in choice.settings.message?.keyFiles ?? [] { try Files.requireSecret(file) }
    guard !export.exportMasterId || choice.settings.keyColumns.isEmpty else {
      throw BenchError(
        .usage,
        "Keys from a list's columns have no master key, so --export-master-id has nothing to write. Nothing was written to a tag."
      )
    }
    var settings = ProvisioningSettings(choice, Console.environment)
    let journal = journal(preferences)
    // A rehearsal has none; a dry run needs none.
    guard journal != nil || (results.label.isEmpty && export.exportKeys == nil) else {
      throw BenchError(
        .usage,
        "--label and --export-keys need a journal: give --journal FILE. Only a list in a file has one beside it, and not in a rehearsal with simulated readers."
      )
    }
    (settings.journal, settings.labels) = (journal, results.files.first)
    settings.printer = try results.printer()
    guard !record.corrected || record.journal.map(PoolSeries.isPool) != true else {
      throw BenchError(
        .usage,
        "--corrected is for a journal's file: rows of a batch in a database stay as they are.")
    }
    settings.corrects = record.corrected
    (settings.extends, settings.follows) = (record.extend, list.source.follow)
    settings.takesUpLostBatches = try record.isRestored()
    (settings.scanners, settings.scansLabels) = (scanner.scan, scanner.scanLabel)
    settings.scannedColumn = scanner.match ?? (scanner.scanLabel ? nil : "code")
    settings.matchesTags = scanner.matchesTags
    settings.takesPoolsList = !list.source.isGiven
    settings.releasesReserved = record.releaseReserved
    settings.retriesFailed = record.retryFailed
    settings.operatorName = record.operator ?? CommandOrigin.loginName
    settings.commandLine = CommandOrigin.commandLine
    settings.version = ProgramVersion.number
    let isLive = LineOutput.isLive(on: console)
    settings.onResult = results.onResult.map {
      ResultCommand.Settings($0, limit: .seconds(results.onResultTimeout), isHeard: !isLive)
    }
    var line = LineOptions()
    (line.count, line.failureLimit) = (stations.count, stations.stopAfterFailures)
    line.timeout = .seconds(options.timeout)
    (line.overwrite, line.rewrite) = (replacing.overwrite, record.rewrite)
    line.inspectEvery = inspection.inspect
    (line.protection, line.sectors) = (write.protection, write.sectors)
    line.freezesMirror = write.freezesMirror
    (line.personalisation, line.mustBeGenuine) = (write.personalisation, write.mustBeGenuine)
    line.wake = try link.wakeCheck(beside: android)
    settings.exportedKeys = try exportedKeys(journal)
    settings.exportsMasterID = export.exportMasterId
    line.mixesTypes = source.mixesTypes
    (line.startsOver, line.follows) = (record.startOver, list.source.follow)
    line.credentials = try options.credentials()
    line.hold = .seconds(stations.hold ?? (isLive ? 2 : 0))
    settings.line = line
    return settings
  }

  /// The journal: what `--journal` names, else a file beside the list. A rehearsal, on simulated
  /// readers alone, has none unless it is named: it leaves nothing beside the list.
  func journal(_ preferences: Preferences) -> String? {
    if let journal = record.journal { return journal }
    guard let list = source.path else { return nil }
    let given =
      options.readers.isEmpty
      ? [preferences.readerName(nil)?.name].compactMap(\.self) : options.readers
    let names = (given + [inspection.inspector].compactMap(\.self)).map {
      preferences.readers[$0] ?? $0
    }
    let isRehearsal =
      !stations.allReaders && !given.isEmpty && names.allSatisfy { $0.hasPrefix("sim:") }
    return isRehearsal ? nil : JournalOptions.file(beside: list)
  }

  /// The file of `--export-keys`, which is none of those that the run needs.
  private func exportedKeys(_ journal: String?) throws(BenchError) -> NamedFile? {
    guard let path = export.exportKeys else { return nil }
    let needed = [proof.keys, proof.oldKeys, journal, source.jobs, source.codes]
    guard !needed.contains(where: { $0.map { Files.areSame($0, path) } == true }) else {
      throw BenchError(.usage, "--export-keys names a file that this run needs: \(path).")
    }
    return try NamedFile(path, consent)
  }

  /// The readers of the line.
  func readers(_ preferences: Preferences) throws(BenchError) -> LineReaders {
    var readers = try stations.readers(options, preferences)
    if let inspector = inspection.inspector {
      try readers.inspect(on: inspector, aliases: preferences.readers)
    }
    guard scanner.scan.isEmpty || scanner.scan.count == readers.count else {
      throw BenchError(
        .usage, "Give --scan once for each reader: there are \(readers.count) readers.")
    }
    guard journal(preferences) != nil || readers.areSimulated else {
      throw BenchError(.usage, "Give --journal FILE: it records which job is on which tag.")
    }
    return readers
  }
}
