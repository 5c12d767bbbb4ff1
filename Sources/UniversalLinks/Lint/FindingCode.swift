extension Finding {
  /// What a finding is about. Codes do not change; scripts may look for them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // The file
    case fileTooLarge = "aasa-too-large"
    case notUTF8 = "aasa-not-utf8"
    case notJSON = "aasa-not-json"
    case tooDeep = "aasa-too-deep"
    case notAnObject = "aasa-not-an-object"
    case byteOrderMark = "aasa-byte-order-mark"
    case duplicateKey = "duplicate-key"
    case unknownKey = "unknown-key"
    case misspeltKey = "misspelt-key"
    case wrongType = "wrong-type"
    case noAppLinks = "no-applinks"
    case noDetails = "no-details"
    case detailsDictionary = "details-dictionary"
    case appsMissing = "apps-missing"
    case appsNotEmpty = "apps-not-empty"

    // Apps
    case appIDMissing = "app-id-missing"
    case appIDDuplicate = "app-id-duplicate"
    case appIDEmpty = "app-id-empty"
    case appIDWithoutPrefix = "app-id-without-prefix"
    case appIDWildcard = "app-id-wildcard"
    case appIDLowerCase = "app-id-lower-case"
    case appIDPrefixLength = "app-id-prefix-length"
    case appIDStrayDot = "app-id-stray-dot"
    case appIDCharacter = "app-id-character"
    case appIDPlaceholder = "app-id-placeholder"
    case appInSeveralEntries = "app-in-several-entries"

    // Rules
    case noRules = "no-rules"
    case onlyExclusions = "only-exclusions"
    case pathsIgnored = "paths-ignored"
    case mixedForms = "mixed-forms"
    case defaultsWithPaths = "defaults-with-paths"
    case maskedComponent = "masked-component"
    case redundantComponent = "redundant-component"
    case duplicateComponent = "duplicate-component"
    case maskingNotChecked = "masking-not-checked"
    case emptyComponent = "empty-component"
    case catchAllComponent = "catch-all-component"
    case notMisspelt = "not-misspelt"
    case notInComponent = "not-in-component"

    // Patterns
    case ampersand = "ampersand-in-pattern"
    case hashInPath = "hash-in-path"
    case queryInPath = "query-in-path"
    case urlInPath = "url-in-path"
    case leadingMark = "leading-mark-in-pattern"
    case wildcardBeforeSlash = "wildcard-before-slash"
    case unencodedPattern = "unencoded-pattern"
    case encodedPattern = "encoded-pattern"
    case lowerCaseEscape = "lower-case-escape"
    case queryValueNotString = "query-value-not-string"
    case patternTooLarge = "pattern-too-large"
    case undefinedVariable = "undefined-variable"
    case unclosedVariable = "unclosed-variable"
    case unusedVariable = "unused-variable"
    case emptyVariable = "empty-variable"
    case variableName = "variable-name"
    case nestedVariable = "nested-variable"
    case redefinedVariable = "redefined-variable"

    // The link
    case notAURL = "url-malformed"
    case httpLink = "http-link"
    case unsupportedScheme = "scheme-not-supported"
    case undocumentedScheme = "scheme-not-documented"
    case notAWebLink = "not-a-web-link"
    case hostMissing = "host-missing"
    case hostNotASCII = "host-not-ascii"
    case hostNotLowerCase = "host-not-lower-case"
    case hostIsAddress = "host-is-address"
    case hostMalformed = "host-malformed"
    case hostTrailingDot = "host-trailing-dot"
    case port = "port"
    case userInfo = "user-info"
    case urlTooLong = "url-too-long"
    case invalidEscape = "escape-invalid"
    case escapeNotUTF8 = "escape-not-utf8"
    case encodedOnWriting = "encoded-on-writing"
    case lowerCaseEscapeInURL = "lower-case-escape-in-url"
    case dotSegments = "dot-segments"
    case doubleSlash = "double-slash"
    case fragmentNeedsRule = "fragment-needs-rule"

    // The tag
    case notNDEF = "tag-not-ndef"
    case emptyTag = "tag-empty"
    case foreignData = "tag-foreign"
    case malformedMessage = "message-malformed"
    case noURIRecord = "no-uri-record"
    case smartPosterOnly = "smart-poster-only"
    case absoluteURIRecord = "absolute-uri-record"
    case recordIgnored = "record-ignored"
    case uriMalformed = "uri-malformed"
    case uriNotFirst = "uri-not-first"
    case furtherURIs = "further-uris"
    case chunked = "chunked"
    case classicCarrier = "classic-carrier"
    case mirrorInURI = "mirror-in-uri"

    // The whole
    case associationNotChecked = "aasa-not-checked"
    case otherHost = "aasa-of-other-host"
    case unusableAssociation = "aasa-unusable"
    case unplacedAssociation = "aasa-unplaced"
    case assumedAssociation = "aasa-assumed"
    case appNotListed = "app-not-listed"
    case excluded = "link-excluded"
    case unmatched = "link-unmatched"
    case noAppClaims = "no-app-claims-link"
    case appClipOnly = "app-clip-only"
    case severalApps = "several-apps-claim-link"
    case otherAppClaims = "other-app-claims-link"
    case notEntitled = "host-not-in-entitlement"
    case entitlementMalformed = "entitlement-malformed"
    case entitlementMode = "entitlement-mode"
    case shortLink = "short-link"
    case linkRedirects = "link-redirects"

    // Getting the file
    case fetchNotHTTPS = "fetch-not-https"
    case fetchUnknownHost = "fetch-unknown-host"
    case fetchUnreachable = "fetch-unreachable"
    case fetchTimeout = "fetch-timeout"
    case fetchCertificate = "fetch-certificate"
    case fetchCertificateName = "fetch-certificate-name"
    case fetchTLS = "fetch-tls"
    case fetchRedirect = "fetch-redirect"
    case fetchNotFound = "fetch-not-found"
    case fetchStatus = "fetch-status"
    case fetchEncoded = "fetch-encoded"
    case fetchBroken = "fetch-broken"
    case contentType = "content-type"
    case onlyAtRoot = "aasa-only-at-root"
    case placesDiffer = "aasa-places-differ"
    case cdnDiffers = "cdn-differs"
    case cdnWithout = "cdn-without-file"
    case cdnRefused = "cdn-refused"
    case siteTrusted = "site-trusted"
    case cdnNotCompared = "cdn-not-compared"
    case cdnDecidesOtherwise = "cdn-decides-otherwise"

    // Android
    case assetLinksNotJSON = "assetlinks-not-json"
    case assetLinksNotAList = "assetlinks-not-a-list"
    case assetLinksStatement = "assetlinks-statement"
    case assetLinksRelation = "assetlinks-relation"
    case assetLinksInclude = "assetlinks-include"
    case assetLinksWithoutApp = "assetlinks-without-app"
    case packageNameMalformed = "package-name-malformed"
    case androidPlaceholder = "package-name-placeholder"
    case fingerprintMalformed = "fingerprint-malformed"
    case fingerprintStyle = "fingerprint-style"
    case fingerprintNotListed = "fingerprint-not-listed"
    case fingerprintNotChecked = "fingerprint-not-checked"
    case assetLinksHandedOver = "assetlinks-handed-over"
    case assetLinksNotChecked = "assetlinks-not-checked"
    case androidAppNotListed = "android-app-not-listed"
    case otherAndroidApp = "other-android-app"
    case notAnAppLink = "not-an-app-link"
    case dynamicRuleExcludes = "dynamic-rule-excludes"
    case dynamicRuleUnmatched = "dynamic-rule-unmatched"
    case otherManifest = "manifest-of-other-app"
    case manifestReference = "manifest-reference"
    case linkNotInManifest = "link-not-in-manifest"
    case notAutoVerified = "manifest-without-auto-verify"
    case filterGroups = "manifest-filter-groups"

    /// How much depends on a finding of this kind.
    public var severity: Severity {
      Self.notes.contains(self) ? .note : Self.warnings.contains(self) ? .warning : .error
    }

    private static let notes: Set<Code> = [.redundantComponent, .appsNotEmpty]

    private static let warnings: Set<Code> = [
      .byteOrderMark, .unknownKey, .detailsDictionary, .appsMissing, .appIDDuplicate,
      .appIDPrefixLength, .appInSeveralEntries, .onlyExclusions, .pathsIgnored,
      .defaultsWithPaths, .duplicateComponent, .maskingNotChecked,
      .emptyComponent, .ampersand, .wildcardBeforeSlash, .lowerCaseEscape, .unclosedVariable,
      .unusedVariable, .redefinedVariable, .httpLink, .undocumentedScheme, .notAWebLink,
      .hostNotASCII, .hostNotLowerCase, .urlTooLong, .escapeNotUTF8, .encodedOnWriting,
      .lowerCaseEscapeInURL, .dotSegments, .doubleSlash, .fragmentNeedsRule, .recordIgnored,
      .uriNotFirst, .furtherURIs, .classicCarrier, .mirrorInURI, .associationNotChecked,
      .appClipOnly, .severalApps, .otherAppClaims, .queryInPath, .contentType, .onlyAtRoot,
      .placesDiffer, .cdnDiffers, .cdnWithout,
      .cdnNotCompared, .cdnDecidesOtherwise, .cdnRefused, .siteTrusted, .mixedForms,
      .assumedAssociation, .entitlementMode, .shortLink, .linkRedirects,
      .assetLinksHandedOver, .assetLinksInclude, .fingerprintNotChecked, .assetLinksNotChecked,
      .manifestReference,
      .filterGroups,
    ]
  }
}
