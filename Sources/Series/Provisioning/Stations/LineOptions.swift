import Foundation
import JobLists
import TagMemory
import TagProgramming

/// How a line works.
public struct LineOptions: Sendable {
  /// End after this many good tags; nil: when every job is done.
  public var count: Int?
  /// End after this many tags that failed.
  public var failureLimit: Int?
  /// How long there may be no tag on any reader; zero: each reader looks once.
  public var timeout = Duration.seconds(30)
  /// Write tags that hold another message, or data that are no message; they are lost.
  public var overwrite = false
  /// Which sectors of a MIFARE Classic are formatted.
  public var sectors = ClassicSectors.usual
  /// Write tags again that have a job already: the same job. And tags that were set aside as scrap:
  /// the next.
  public var rewrite = false
  /// For tags whose row has no password of its own.
  public var protection: Protection?
  /// Where a tag gets both a mirror and locks: freeze its configuration, too.
  package var freezesMirror = false
  /// Leave tags alone whose UID their maker has not signed.
  public var mustBeGenuine = false
  /// Tags are NTAG 424 DNA and come to prove themselves by their message, which has the places for
  /// that.
  public var personalisation: Personalisation?
  /// Checks the link of each tag; nil: links are not checked.
  package var wake: WakeCheck?
  /// Keys and passwords that the tags may ask for.
  public var credentials = Credentials()
  /// The one type of tag that all jobs are for; nil: there are several, or it is not known.
  package var expected: Product?
  /// Jobs for any type of tag go to tags of all types; else to those of the first tag's.
  public var mixesTypes = false
  /// How long a tag that went away in the middle of its job may stay away before the job is given
  /// up.
  package var patience = Duration.seconds(1)

  /// How long a verdict that wants a hand stands at least before another tag is taken for its
  /// answer.
  package var hold = Duration.zero

  /// Inspect the first good tag of each station and every n-th; nil: none.
  package var inspectEvery: Int?
  /// Put the list's jobs on new tags although tags of another journal have them.
  package var startsOver = false
  /// What the stations are called in the journal, in their order; nil: by their numbers, from 1. An
  /// inspector is called so then.
  package var stationNames: [String]?

  /// Returns what the journal calls the station `number`; that behind the `count` readers inspects
  /// only.
  package func stationName(_ number: Int, of count: Int) -> String {
    guard let stationNames else { return "\(number + 1)" }
    if number >= count { return "inspector" }
    return number < stationNames.count ? stationNames[number] : "\(number + 1)"
  }
  /// The list goes on: that no job is left now does not end the run.
  package var follows = false

  /// The day that `{date}` stands for on a tag that comes at a moment: UTC's, but for tests of
  /// midnight.
  var day: @Sendable (Date) -> String = { TagFields.day(Int64($0.timeIntervalSince1970)) }

  /// All jobs, one after another, on blank tags.
  public init() {}
}
