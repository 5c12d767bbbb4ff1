import JSON
import UniversalLinks

extension AssetLinks {
  /// The finding that stands for a file that Android does not read for its size.
  static func tooLarge(byteCount: Int) -> Finding {
    Finding(
      .assetLinksTooLarge, .assetLinks,
      "The file has \(byteCount) bytes; Android reads \(byteLimit) at most. Leave out what no app needs."
    )
  }

  /// What is wrong with a file as it was fetched, in the order of the file.
  package static func findings(parsing bytes: some Sequence<UInt8>) -> [Finding] {
    do throws(AppLinksError) {
      return try AssetLinks(parsing: bytes).findings
    } catch {
      return [finding(for: error)]
    }
  }

  /// The finding that stands for an error of `init(parsing:)`.
  static func finding(for error: AppLinksError) -> Finding {
    let consequence = "Android verifies no link with it."
    if case .json(let cause) = error {
      return Finding(
        .assetLinksNotJSON, .json(cause.path, cause.position), "\(error) \(consequence)")
    }
    return Finding(.assetLinksNotAList, .assetLinks, "\(error) \(consequence)")
  }

  /// What is wrong with the file.
  package var findings: [Finding] {
    var findings = (document.root.array ?? []).enumerated().flatMap { index, element in
      lint(element, JSONPath()[index])
    }
    if document.hasByteOrderMark {
      findings.insert(
        Finding(
          .byteOrderMark, .assetLinks,
          "The file begins with a byte-order mark (EF BB BF). Save it as UTF-8 without it."),
        at: 0)
    }
    if !statements.contains(where: \.opensLinks), includes.isEmpty {
      findings.append(
        Finding(
          .assetLinksWithoutApp, .assetLinks,
          """
          No statement lets an Android app open links: that takes the relation \
          \(AssetLinks.handleAllURLs) and a target with the namespace android_app.
          """))
    }
    return findings
  }

  // MARK: One statement

  private func lint(_ element: JSONValue, _ path: JSONPath) -> [Finding] {
    func wrong(_ value: JSONValue, _ path: JSONPath, _ wanted: String) -> Finding {
      Finding(
        .wrongType, .json(path, value.position),
        "This is \(value.typeName); Android takes \(wanted) here and ignores anything else.")
    }
    guard let members = element.object else { return [wrong(element, path, "a statement")] }
    if let address = members.last(named: "include") {
      guard let text = address.string else {
        return [wrong(address, path["include"], "an address")]
      }
      return [
        Finding(
          .assetLinksInclude, .json(path["include"], address.position),
          """
          Further statements are at \(text), which was not checked. Put the app's statement into this file, \
          or give that file.
          """)
      ]
    }
    var findings = misspelt(members, path, ["relation", "target", "relation_extensions"])
    if members.last(named: "relation_extensions") != nil,
      Statement(members, path: path, position: element.position).hasMalformedRules
    {
      findings.append(
        Finding(
          .dynamicRulesMalformed, .json(path["relation_extensions"], element.position),
          "Android cannot read these rules and discards them all: the manifest alone decides."))
    }
    guard let relation = members.last(named: "relation")?.array,
      let target = members.last(named: "target")?.object
    else {
      return findings + [
        Finding(
          .assetLinksStatement, .json(path, element.position),
          "A statement has a \"relation\", which is an array, and a \"target\", which is an object. Android ignores this one."
        )
      ]
    }
    findings += relation.enumerated().compactMap { index, value in
      guard let text = value.string, text != Self.handleAllURLs,
        text.lowercased().contains("handle_all_url") || !text.contains("/")
      else { return nil }
      return Finding(
        .assetLinksRelation, .json(path["relation"][index], value.position),
        "Android knows no relation \(JSONText.quoted(text)). Write \"\(Self.handleAllURLs)\".")
    }
    if target.last(named: "namespace")?.string == "android_app" {
      findings += lint(target: target, path["target"], element.position)
    }
    return findings
  }

  private func lint(target: [JSONMember], _ path: JSONPath, _ position: JSONPosition) -> [Finding] {
    var findings = misspelt(
      target, path, ["namespace", "package_name", "sha256_cert_fingerprints"])
    if let name = target.last(named: "package_name"), let text = name.string {
      do throws(AppLinksError) {
        _ = try AndroidApp(parsing: text)
      } catch {
        let code: Finding.Code =
          if case .placeholder = error { .androidPlaceholder } else { .packageNameMalformed }
        findings.append(Finding(code, .json(path["package_name"], name.position), "\(error)"))
      }
    } else {
      findings.append(
        Finding(
          .packageNameMalformed, .json(path, position), "The target has no \"package_name\"."))
    }
    let prints = target.last(named: "sha256_cert_fingerprints")
    guard let list = prints?.array, !list.isEmpty else {
      return findings + [
        Finding(
          .fingerprintMalformed, .json(path, prints?.position ?? position),
          "The target has no \"sha256_cert_fingerprints\", an array of texts. Android verifies no app without one."
        )
      ]
    }
    for (index, value) in list.enumerated() {
      let place = Finding.Place.json(path["sha256_cert_fingerprints"][index], value.position)
      guard let text = value.string else {
        findings.append(
          Finding(.wrongType, place, "This is \(value.typeName); Android takes a text here."))
        continue
      }
      if let fingerprint = CertificateFingerprint(text) {
        guard !fingerprint.isExample else {
          findings.append(
            Finding(.fingerprintExample, place, "\(AppLinksError.exampleFingerprint)"))
          continue
        }
        guard text != "\(fingerprint)" else { continue }
        findings.append(
          Finding(
            .fingerprintStyle, place,
            "Android compares fingerprints as upper-case text with colons. Write \(fingerprint)."))
      } else {
        let isSHA1 =
          text.count { $0.isHexDigit } == 40 && text.allSatisfy { $0.isHexDigit || $0 == ":" }
        let hint = isSHA1 ? " This is a SHA-1, which Android does not take." : ""
        findings.append(
          Finding(.fingerprintMalformed, place, "\(AppLinksError.notAFingerprint(text))\(hint)"))
      }
    }
    return findings
  }

  private func misspelt(_ members: [JSONMember], _ path: JSONPath, _ known: [String]) -> [Finding] {
    members.compactMap { member in
      guard !known.contains(member.name) else { return nil }
      let plain = member.name.lowercased().filter { $0.isLetter || $0.isNumber }
      let guess = known.first { name in
        let other = name.filter { $0.isLetter || $0.isNumber }
        return plain.hasPrefix(other) || other.hasPrefix(plain)
      }
      return Finding(
        guess == nil ? .unknownKey : .misspeltKey, .json(path[member.name], member.namePosition),
        "Android knows no key \(JSONText.quoted(member.name)) here and ignores it."
          + (guess.map { " Write \"\($0)\"." } ?? ""))
    }
  }
}
