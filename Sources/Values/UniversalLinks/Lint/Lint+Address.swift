import WebAddress

extension Lint {
  /// A tag, a QR code and a log line each hold this much; servers commonly refuse more.
  private static let sensibleLength = 2048

  /// What is wrong with a link that is to wake an app, before any site association is asked.
  package static func findings(_ link: Address) -> [Finding] {
    guard link.isWebLink else { return [] }
    let parts = scheme(link) + host(link) + authority(link) + escapes(link) + path(link)
    return parts.map { Finding($0.code, .url, $0.message) }
  }

  /// The finding that stands for a text that is no address.
  static func finding(for fault: AddressError) -> Finding {
    let code: Finding.Code =
      switch fault {
      case .escape: .invalidEscape
      case .noHost, .noSlashes: .hostMissing
      case .host, .schemeTwice: .hostMalformed
      case .portMissing: .port
      default: .notAURL
      }
    return Finding(
      code, .url,
      "\(sentence(fault)) This is no URL, so no device is sure to follow it: write a right one.")
  }

  private typealias Fault = (code: Finding.Code, message: String)

  private static func scheme(_ link: Address) -> [Fault] {
    guard link.scheme == "http" else { return [] }
    return [
      (
        .httpLink,
        """
        The link is http. Apple speaks of HTTP and HTTPS links, but every association seen to work \
        is https: write https.
        """
      )
    ]
  }

  private static func host(_ link: Address) -> [Fault] {
    guard let host = link.host else { return [] }
    if link.hostIsAddress {
      return [
        (
          .hostIsAddress,
          "\(host) is a numeric address; apps are associated with names of domains. Use a name."
        )
      ]
    }
    var faults: [Fault] = []
    let written = link.writtenHost ?? ""
    if !written.utf8.allSatisfy({ $0 < 0x80 }) {
      faults.append(
        (
          .hostNotASCII,
          """
          The host \(written) is asked for as \(host). Write it so on the tag, in the entitlement \
          and everywhere else: different spellings of one name may differ in this form.
          """
        ))
    } else if written != host {
      faults.append(
        (
          .hostNotLowerCase,
          "The host \(written) has upper-case letters; it is compared as \(host). Write it so."
        ))
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    if host.hasSuffix(".") {
      faults.append(
        (
          .hostTrailingDot,
          "The host ends in a dot, so it is not the one in the entitlement. Leave the dot out."
        ))
    }
    if labels.count < 2 || host.contains("_") {
      faults.append(
        (
          .hostMalformed,
          """
          \(host) is no name of a public domain: parts of letters, digits and inner hyphens, joined \
          by dots, 253 characters at most. iOS cannot fetch its association.
          """
        ))
    }
    return faults
  }

  private static func authority(_ link: Address) -> [Fault] {
    var faults: [Fault] = []
    if let port = link.port {
      faults.append(
        (
          .port,
          """
          \(port.isEmpty ? "A colon stands behind the host and no port" : "The link names the port \(port)"); \
          an association is for a host without port. Leave it out and serve the link on 443.
          """
        ))
    }
    if link.userInfo != nil {
      faults.append(
        (
          .userInfo,
          """
          The link has user information before an @. Such links are not taken for universal links, \
          and anyone can read the tag: remove it.
          """
        ))
    }
    let length = link.written.unicodeScalars.count
    if length > sensibleLength {
      faults.append(
        (
          .urlTooLong,
          """
          The link has \(length) characters; with more than \(sensibleLength), servers and tags may \
          fail. Use a short code.
          """
        ))
    }
    return faults
  }

  private static func escapes(_ link: Address) -> [Fault] {
    var faults: [Fault] = []
    let parts = [link.path, link.query ?? "", link.fragment ?? ""]
    if !parts.allSatisfy(PercentEncoding.spellsUTF8) {
      faults.append(
        (
          .escapeNotUTF8,
          """
          The escapes in the link do not spell UTF-8, so a rule with "percentEncoded": false cannot \
          decode it. Encode the UTF-8 bytes of each character.
          """
        ))
    }
    if parts.contains(where: PercentEncoding.hasLowerCaseDigits) {
      faults.append(
        (
          .lowerCaseEscapeInURL,
          """
          The link has an escape with lower-case digits. Rules are compared with it as written: %c3 \
          does not match %C3. Write upper case unless the rule has lower case.
          """
        ))
    }
    if link.hasEncodedCharacters {
      faults.append(
        (
          .encodedOnWriting,
          """
          The link holds characters that a URL cannot. It stands for \(link): write that, so \
          that the tag and the rules show the same text.
          """
        ))
    }
    return faults
  }

  private static func path(_ link: Address) -> [Fault] {
    var faults: [Fault] = []
    let segments = link.path.split(separator: "/", omittingEmptySubsequences: false)
    if segments.contains(where: { PathSteps.isStep($0.utf8) }) {
      faults.append(
        (
          .dotSegments,
          """
          The path has a . or .. part. Here rules are compared with it as written; a browser \
          resolves it first. Write the resolved path.
          """
        ))
    }
    // Slashes at the end do not count.
    if segments.dropFirst().reversed().drop(while: \.isEmpty).contains("") {
      faults.append(
        (
          .doubleSlash,
          """
          The path has two slashes in a row. Whether iOS takes them as one is not documented; \
          here it does not. Write one.
          """
        ))
    }
    if let fragment = link.fragment, !fragment.isEmpty {
      faults.append(
        (
          .fragmentNeedsRule,
          """
          The link has a fragment. It is no part of the path: only a rule with a "#" key looks at \
          it, and a # in a path pattern matches nothing.
          """
        ))
    }
    return faults
  }
}
