import AppLinks

@testable import JSON
@testable import UniversalLinks

/// What is wrong with a file or an app ID that decides which links wake an app.
extension ErrorTexts {
  private static let json: KeyValuePairs<String, JSONError.Fault> = [
    "empty": .empty,
    "notUTF8": .notUTF8,
    "otherEncoding": .otherEncoding("UTF-16"),
    "unexpectedEnd": .unexpectedEnd,
    "unexpected": .unexpected("x", expected: "a comma or ]"),
    "trailingComma": .trailingComma,
    "comment": .comment,
    "trailingText": .trailingText,
    "tooDeep": .tooDeep,
    "malformedNumber": .malformedNumber,
    "unknownEscape": .unknownEscape,
    "loneSurrogate": .loneSurrogate,
    "controlCharacter": .controlCharacter,
  ]

  private static let broken = JSONError(
    fault: .trailingComma, position: JSONPosition(line: 3, column: 7),
    path: JSONPath([.member("applinks")]))

  private static let universal: KeyValuePairs<String, UniversalLinksError> = [
    "json": .json(broken),
    "notAnObject": .notAnObject("an array"),
    "pattern": .pattern(.tooLarge),
    "cannotWrite": .cannotWrite(.noApp),
  ]

  private static let pattern: KeyValuePairs<String, UniversalLinksError.PatternFault> = [
    "undefinedVariable": .undefinedVariable("region"),
    "tooLarge": .tooLarge,
  ]

  private static let writer: KeyValuePairs<String, UniversalLinksError.WriterFault> = [
    "noApp": .noApp,
    "findings": .findings([Finding(.appIDWildcard, .appID, "The app ID holds a *.")]),
  ]

  private static let appID: KeyValuePairs<String, AppID.Fault> = [
    "empty": .empty,
    "missingPrefix": .missingPrefix,
    "wildcard": .wildcard,
    "lowerCasePrefix": .lowerCasePrefix,
    "prefixLength": .prefixLength(9),
    "strayDot": .strayDot,
    "character": .character("/"),
    "placeholder": .placeholder("TEAMID"),
  ]

  static let links: [ErrorTexts] = [
    ErrorTexts("Fault", "JSON/JSONError.swift", in: "JSONError", json),
    ErrorTexts("UniversalLinksError", "UniversalLinks/UniversalLinksError.swift", universal),
    ErrorTexts("PatternFault", "UniversalLinks/UniversalLinksError.swift", pattern),
    ErrorTexts("WriterFault", "UniversalLinks/UniversalLinksError.swift", writer),
    ErrorTexts("Fault", "UniversalLinks/Association/AppID.swift", in: "AppID", appID) {
      $0.message(for: "Q7K2M9P4ZX.com.example.app")
    },
  ]

  private static let android: KeyValuePairs<String, AppLinksError> = [
    "notAPackageName": .notAPackageName("com"),
    "placeholder": .placeholder("yourcompany", in: "com.yourcompany.app"),
    "notAFingerprint": .notAFingerprint("14:6D"),
    "exampleFingerprint": .exampleFingerprint,
    "json": .json(broken),
    "notAList": .notAList("an object"),
    "manifest": .manifest("it is not XML (syntax error)", line: 3),
    "nothingToWrite": .nothingToWrite("Give at least one app."),
  ]

  static let apps: [ErrorTexts] = [
    ErrorTexts("AppLinksError", "AppLinks/AppLinksError.swift", android)
  ]
}
