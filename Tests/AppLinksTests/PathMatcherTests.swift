import Testing

@testable import AppLinks

@Suite("Paths of intent filters, android.os.PatternMatcher")
struct PathMatcherTests {
  @Test(
    "a simple pattern takes what Android takes, and never goes back",
    arguments: [
      ("/t/.*", "/t/1", true), ("/t/.*", "/t/", true), ("/t/.*", "/t", false),
      (".*", "/anything", true), ("/a*b", "/aaab", true), ("/a*b", "/b", true),
      ("/.*x", "/abx", true), ("/.*x", "/axbx", false), ("/a.c", "/abc", true),
      // An escape does not make a dot less than any character.
      ("/a\\.c", "/abc", true), ("/a\\.c", "/a.c", true), ("/t", "/t/1", false),
      // The text must not end before a repetition, but before a last ".*".
      ("/t/x*", "/t/", false), ("/t/x*", "/t/x", true), ("/t/x*", "/t/xx", true),
      ("/a*", "/", false), ("/a*.*", "/", false), ("/a*.*", "/a", true), ("/ab*c", "/ac", true),
      ("/.*.*.*", "/..b", false), ("/.*.*", "/.*", true), ("/.*.*", "/.", false),
      ("/\\.*", "/..", true), ("/\\.*", "/ab", false), ("/.*\\*", "/a*", true), ("\\", "", false),
      ("/.*x*", "/ax", false), ("/.*x*", "/ax*", true),
      ("/.*\\.html", "/index.html", true), ("", "", true), ("/.*/end", "/a/end", true),
    ])
  func simple(_ pattern: String, _ path: String, _ matches: Bool) {
    #expect(PathMatcher.simple(pattern).matches(path) == matches)
  }

  @Test(
    "an advanced pattern has sets and counts",
    arguments: [
      ("/t/[0-9]+", "/t/123", true), ("/t/[0-9]+", "/t/", false), ("/t/[^0-9]", "/t/a", true),
      ("/t/[^0-9]", "/t/5", false), ("/[a-c]{2,3}", "/abc", true), ("/[a-c]{2,3}", "/a", false),
      ("/[a-c]{2}", "/abc", false), ("/a{2,}", "/aaaa", true), ("/.*1", "/11", false),
      ("/[\\]]", "/]", true),
    ])
  func advanced(_ pattern: String, _ path: String, _ matches: Bool) {
    #expect(PathMatcher.advanced(pattern).matches(path) == matches)
  }

  @Test(
    "a pattern that breaks the rules matches nothing",
    arguments: ["/[a", "/{2}x{", "*", "/a\\", "/[]"])
  func broken(_ pattern: String) {
    #expect(PathMatcher.advanced(pattern).matches("/a") != true)
  }

  @Test(
    "literals, prefixes and suffixes are compared as they stand",
    arguments: [
      (PathMatcher.literal("/t/1"), "/t/1", true), (.literal("/t/1"), "/t/12", false),
      (.prefix("/t/"), "/t/12", true), (.prefix("/t/"), "/u/", false),
      (.suffix(".pdf"), "/a.pdf", true), (.suffix(".pdf"), "/a.pdf/", false),
    ])
  func plain(_ matcher: PathMatcher, _ path: String, _ matches: Bool) {
    #expect(matcher.matches(path) == matches)
  }
}
