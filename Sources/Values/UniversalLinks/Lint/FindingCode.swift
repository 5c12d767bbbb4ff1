extension Finding {
  /// A code says what a finding is about. Codes do not change; scripts may look for them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // The file
    /// The file is larger than 128 KB, the most that iOS takes.
    case fileTooLarge = "aasa-too-large"
    /// The file is not UTF-8.
    case notUTF8 = "aasa-not-utf8"
    /// The file is not JSON (RFC 8259).
    case notJSON = "aasa-not-json"
    /// The file nests more brackets than are read.
    case tooDeep = "aasa-too-deep"
    /// The file is JSON, but not an object.
    case notAnObject = "aasa-not-an-object"
    /// The file begins with a byte-order mark.
    case byteOrderMark = "aasa-byte-order-mark"
    /// A key stands twice in one object.
    case duplicateKey = "duplicate-key"
    /// iOS does not know the key and ignores it.
    case unknownKey = "unknown-key"
    /// iOS does not know the key; a similar one was probably meant.
    case misspeltKey = "misspelt-key"
    /// A value has another type than iOS takes there.
    case wrongType = "wrong-type"
    /// The file has no `applinks`.
    case noAppLinks = "no-applinks"
    /// `applinks` has no `details`.
    case noDetails = "no-details"
    /// `details` is a dictionary, the form of iOS 9.
    case detailsDictionary = "details-dictionary"
    /// `paths` is used without the empty `apps` that old systems want.
    case appsMissing = "apps-missing"
    /// `apps` is not empty.
    case appsNotEmpty = "apps-not-empty"

    // Apps
    /// An entry names no app.
    case appIDMissing = "app-id-missing"
    /// An app ID stands twice in one list.
    case appIDDuplicate = "app-id-duplicate"
    /// An app ID is empty.
    case appIDEmpty = "app-id-empty"
    /// An app ID has no application identifier prefix.
    case appIDWithoutPrefix = "app-id-without-prefix"
    /// An app ID has a `*`.
    case appIDWildcard = "app-id-wildcard"
    /// The prefix of an app ID has lower-case letters.
    case appIDLowerCase = "app-id-lower-case"
    /// The prefix of an app ID does not have ten characters.
    case appIDPrefixLength = "app-id-prefix-length"
    /// An app ID has a dot at an end, or two in a row.
    case appIDStrayDot = "app-id-stray-dot"
    /// An app ID has a character that no app ID has.
    case appIDCharacter = "app-id-character"
    /// An app ID is a name out of documentation, such as `TEAMID`.
    case appIDPlaceholder = "app-id-placeholder"
    /// An app has rules in several entries.
    case appInSeveralEntries = "app-in-several-entries"

    // Rules
    /// An entry has no rule.
    case noRules = "no-rules"
    /// Every rule of an entry excludes.
    case onlyExclusions = "only-exclusions"
    /// An entry has `components`, so its `paths` are not read.
    case pathsIgnored = "paths-ignored"
    /// An entry mixes the keys of two forms.
    case mixedForms = "mixed-forms"
    /// `defaults` stand beside `paths`.
    case defaultsWithPaths = "defaults-with-paths"
    /// A rule is never reached: an earlier one with another effect matches first.
    case maskedComponent = "masked-component"
    /// A rule is never reached: an earlier one has the same effect.
    case redundantComponent = "redundant-component"
    /// A rule stands twice.
    case duplicateComponent = "duplicate-component"
    /// The file has too many rules to compare each with all others.
    case maskingNotChecked = "masking-not-checked"
    /// A component has no pattern that iOS can use, so it matches every link.
    case emptyComponent = "empty-component"
    /// A component without patterns matches every link.
    case catchAllComponent = "catch-all-component"
    /// `NOT` of an old path is not written as iOS reads it.
    case notMisspelt = "not-misspelt"
    /// `NOT` stands in a component, which has `exclude` for that.
    case notInComponent = "not-in-component"

    // Patterns
    /// A pattern of a path or fragment has an `&`.
    case ampersand = "ampersand-in-pattern"
    /// A pattern of a path has a `#` and never matches.
    case hashInPath = "hash-in-path"
    /// A pattern of a path has a `?` with a parameter behind it.
    case queryInPath = "query-in-path"
    /// A pattern of a path is a whole URL and never matches.
    case urlInPath = "url-in-path"
    /// A pattern of a query or fragment begins with `?` or `#`.
    case leadingMark = "leading-mark-in-pattern"
    /// The first character of a path's pattern is a wildcard.
    case wildcardBeforeSlash = "wildcard-before-slash"
    /// A pattern has a character that stands percent-encoded in a link.
    case unencodedPattern = "unencoded-pattern"
    /// A pattern has escapes, though links are decoded before they are compared.
    case encodedPattern = "encoded-pattern"
    /// The escapes in a pattern have lower-case digits.
    case lowerCaseEscape = "lower-case-escape"
    /// A value in a `?` object is not a string.
    case queryValueNotString = "query-value-not-string"
    /// A pattern is too long once its variables are put in.
    case patternTooLarge = "pattern-too-large"
    /// A pattern uses a variable that is not defined.
    case undefinedVariable = "undefined-variable"
    /// A `$(` has no `)`.
    case unclosedVariable = "unclosed-variable"
    /// No pattern uses a variable.
    case unusedVariable = "unused-variable"
    /// A variable has no values.
    case emptyVariable = "empty-variable"
    /// A variable's name is empty, or has a character that it must not have.
    case variableName = "variable-name"
    /// A variable's value uses a variable.
    case nestedVariable = "nested-variable"
    /// A variable has the name of one of Apple's.
    case redefinedVariable = "redefined-variable"

    // The link
    /// The text is not a URL.
    case notAURL = "url-malformed"
    /// The link is http, not https.
    case httpLink = "http-link"
    /// Background reading does not support the link's scheme.
    case unsupportedScheme = "scheme-not-supported"
    /// Links of this scheme are reported to work, but not documented.
    case undocumentedScheme = "scheme-not-documented"
    /// The link opens an app of the system.
    case notAWebLink = "not-a-web-link"
    /// The link has no host.
    case hostMissing = "host-missing"
    /// The host is not ASCII; devices ask for its other form.
    case hostNotASCII = "host-not-ascii"
    /// The host has upper-case letters.
    case hostNotLowerCase = "host-not-lower-case"
    /// The host is a numeric address.
    case hostIsAddress = "host-is-address"
    /// The host is not the name of a public domain.
    case hostMalformed = "host-malformed"
    /// The host ends in a dot.
    case hostTrailingDot = "host-trailing-dot"
    /// The link names a port.
    case port = "port"
    /// The link has user information before an `@`.
    case userInfo = "user-info"
    /// The link is longer than servers and tags reliably take.
    case urlTooLong = "url-too-long"
    /// A `%` is not followed by two hexadecimal digits.
    case invalidEscape = "escape-invalid"
    /// The link's escapes are not UTF-8.
    case escapeNotUTF8 = "escape-not-utf8"
    /// The link has characters that are percent-encoded when it is written.
    case encodedOnWriting = "encoded-on-writing"
    /// The link's escapes have lower-case digits.
    case lowerCaseEscapeInURL = "lower-case-escape-in-url"
    /// The path has a `.` or `..` part.
    case dotSegments = "dot-segments"
    /// The path has two slashes in a row.
    case doubleSlash = "double-slash"
    /// The link has a fragment, which only a rule with a `#` key looks at.
    case fragmentNeedsRule = "fragment-needs-rule"

    // The tag
    /// The tag is not formatted for NDEF.
    case notNDEF = "tag-not-ndef"
    /// The tag does not show what it holds.
    case unreadableTag = "tag-unreadable"
    /// The tag's message is empty.
    case emptyTag = "tag-empty"
    /// The tag holds data that are not NDEF.
    case foreignData = "tag-foreign"
    /// The message on the tag is damaged.
    case malformedMessage = "message-malformed"
    /// The message has no URI record.
    case noURIRecord = "no-uri-record"
    /// The only URI is inside a Smart Poster.
    case smartPosterOnly = "smart-poster-only"
    /// The URI is in an absolute-URI record (TNF 3).
    case absoluteURIRecord = "absolute-uri-record"
    /// An iPhone ignores a record of this type.
    case recordIgnored = "record-ignored"
    /// The first URI record is malformed.
    case uriMalformed = "uri-malformed"
    /// The URI record is not the first record.
    case uriNotFirst = "uri-not-first"
    /// There are several URI records; the first is used.
    case furtherURIs = "further-uris"
    /// A record is in chunks.
    case chunked = "chunked"
    /// The tag is a MIFARE Classic, which is not an NFC Forum tag.
    case classicCarrier = "classic-carrier"
    /// The tag shows its UID or counter in place of a part of the URI.
    case mirrorInURI = "mirror-in-uri"

    // The whole
    /// The answer rests on a point that Apple does not document.
    case restsOnUndocumented = "aasa-not-documented"
    /// The tag fills in a part of the link, and what opens depends on it.
    case linkVaries = "link-varies"
    /// No site association was checked.
    case associationNotChecked = "aasa-not-checked"
    /// The site association is of another host.
    case otherHost = "aasa-of-other-host"
    /// The site association cannot be used.
    case unusableAssociation = "aasa-unusable"
    /// Nothing says at which host the file is.
    case unplacedAssociation = "aasa-unplaced"
    /// The caller assumes that the file is at the link's host.
    case assumedAssociation = "aasa-assumed"
    /// The file does not name the app.
    case appNotListed = "app-not-listed"
    /// A rule excludes the link.
    case excluded = "link-excluded"
    /// No rule matches the link.
    case unmatched = "link-unmatched"
    /// No app of the file claims the link.
    case noAppClaims = "no-app-claims-link"
    /// Only an App Clip claims the link.
    case appClipOnly = "app-clip-only"
    /// The link is the one that Apple makes for an App Clip; that tags may have it is reported, not
    /// documented.
    case appClipDefaultLink = "app-clip-default-link"
    /// Several apps claim the link.
    case severalApps = "several-apps-claim-link"
    /// Another app claims the link, too.
    case otherAppClaims = "other-app-claims-link"
    /// The app's entitlement does not have the host.
    case notEntitled = "host-not-in-entitlement"
    /// A line is not an associated domain.
    case entitlementMalformed = "entitlement-malformed"
    /// The entitlement's line works on developers' or managed phones only.
    case entitlementMode = "entitlement-mode"
    /// The host is a link shortener or tracks links.
    case shortLink = "short-link"
    /// The site redirects the link.
    case linkRedirects = "link-redirects"

    // Getting the file
    /// The address of the file is not https.
    case fetchNotHTTPS = "fetch-not-https"
    /// The domain name system has no address for the host.
    case fetchUnknownHost = "fetch-unknown-host"
    /// The server cannot be reached, or this computer cannot fetch files.
    case fetchUnreachable = "fetch-unreachable"
    /// The file did not arrive in time.
    case fetchTimeout = "fetch-timeout"
    /// The server's certificate is not trusted.
    case fetchCertificate = "fetch-certificate"
    /// The server's certificate is for other names.
    case fetchCertificateName = "fetch-certificate-name"
    /// The TLS connection failed.
    case fetchTLS = "fetch-tls"
    /// The server redirects, which iOS does not follow.
    case fetchRedirect = "fetch-redirect"
    /// The server has no such file (404, 410).
    case fetchNotFound = "fetch-not-found"
    /// The server answers with another status than 200.
    case fetchStatus = "fetch-status"
    /// The content is encoded.
    case fetchEncoded = "fetch-encoded"
    /// The answer broke off, or is not HTTP.
    case fetchBroken = "fetch-broken"
    /// The file is not served as application/json.
    case contentType = "content-type"
    /// The file is at the root of the site only, not in `.well-known`.
    case onlyAtRoot = "aasa-only-at-root"
    /// The files at the site's two places differ.
    case placesDiffer = "aasa-places-differ"
    /// Apple's CDN serves another file than the site.
    case cdnDiffers = "cdn-differs"
    /// Apple's CDN has no file for the domain yet.
    case cdnWithout = "cdn-without-file"
    /// Apple's CDN refused the site's file and says why.
    case cdnRefused = "cdn-refused"
    /// The site's own file is used in place of the CDN's.
    case siteTrusted = "site-trusted"
    /// Apple's CDN did not answer.
    case cdnNotCompared = "cdn-not-compared"
    /// The CDN's file decides otherwise than the site's.
    case cdnDecidesOtherwise = "cdn-decides-otherwise"

    // Android
    /// The asset links file is not JSON.
    case assetLinksNotJSON = "assetlinks-not-json"
    /// The asset links file is not a list.
    case assetLinksNotAList = "assetlinks-not-a-list"
    /// A statement of the asset links file is not valid.
    case assetLinksStatement = "assetlinks-statement"
    /// Android does not know a statement's relation.
    case assetLinksRelation = "assetlinks-relation"
    /// The asset links file includes another one, which was not checked.
    case assetLinksInclude = "assetlinks-include"
    /// No statement lets an Android app open links.
    case assetLinksWithoutApp = "assetlinks-without-app"
    /// A text is not a package name.
    case packageNameMalformed = "package-name-malformed"
    /// A package name is one out of documentation.
    case androidPlaceholder = "package-name-placeholder"
    /// A text is not a SHA-256 fingerprint.
    case fingerprintMalformed = "fingerprint-malformed"
    /// A fingerprint is not in upper case with colons.
    case fingerprintStyle = "fingerprint-style"
    /// The file has other certificates for the app.
    case fingerprintNotListed = "fingerprint-not-listed"
    /// The app's certificate was not given, so it was not checked.
    case fingerprintNotChecked = "fingerprint-not-checked"
    /// The asset links file was given by hand.
    case assetLinksHandedOver = "assetlinks-handed-over"
    /// The asset links file is served by another host than the link's.
    case assetLinksOfOtherHost = "assetlinks-of-other-host"
    /// The asset links file has more bytes than Android reads.
    case assetLinksTooLarge = "assetlinks-too-large"
    /// A statement of another app may make Android drop the whole file.
    case assetLinksSpoilt = "assetlinks-spoilt"
    /// No asset links file was checked.
    case assetLinksNotChecked = "assetlinks-not-checked"
    /// A fingerprint is the one of Google's documentation.
    case fingerprintExample = "fingerprint-example"
    /// The asset links file does not name the app.
    case androidAppNotListed = "android-app-not-listed"
    /// A record on the tag starts another app.
    case otherAndroidApp = "other-android-app"
    /// The first record is not a web link.
    case notAnAppLink = "not-an-app-link"
    /// A dynamic rule excludes the link (Android 15 and later).
    case dynamicRuleExcludes = "dynamic-rule-excludes"
    /// No dynamic rule matches the link (Android 15 and later).
    case dynamicRuleUnmatched = "dynamic-rule-unmatched"
    /// The app's rules cannot be read, so Android discards them.
    case dynamicRulesMalformed = "dynamic-rules-malformed"
    /// Two statements have rules for the app, and nothing says which count.
    case dynamicRulesTwice = "dynamic-rules-twice"
    /// The manifest is of another app.
    case otherManifest = "manifest-of-other-app"
    /// The manifest refers to values that are in other files.
    case manifestReference = "manifest-reference"
    /// No intent filter of the manifest takes the link.
    case linkNotInManifest = "link-not-in-manifest"
    /// The intent filter lacks `autoVerify`.
    case notAutoVerified = "manifest-without-auto-verify"
    /// The app's manifest was not given, so its filters are not known.
    case manifestNotChecked = "manifest-not-checked"
    /// The manifest does not say which Android the app is made for.
    case targetNotKnown = "manifest-without-target-sdk"
    /// An activity for NFC has a permission that locks everybody else out.
    case activityGuarded = "manifest-activity-guarded"

    // What Android does with the tag
    /// The phone asks about Wi-Fi or Bluetooth and looks at nothing else.
    case systemAsks = "android-system-asks"
    /// The first record is for no app, so Android looks at no application record.
    case firstRecordUnmapped = "android-first-record-unmapped"
    /// The application record starts the app without the link.
    case recordTakesLink = "android-record-takes-link"
    /// The app has no activity that could be started, so the store opens.
    case storeOpens = "android-store-opens"
    /// Up to Android 15 the browser opens the link.
    case browserBefore16 = "android-browser-up-to-15"
    /// Up to Android 15 the phone asks which app is to open the link.
    case phoneAsks = "android-phone-asks"
    /// No filter for NFC takes what the first record holds.
    case filterUnmatched = "android-filter-unmatched"
    /// Android 17 passes the activity over.
    case permissionMissing = "android-permission-missing"
    /// An activity wants a permission of which it is not known who holds it.
    case permissionUnknown = "android-permission-unknown"
    /// The app cannot be installed on an Android that was asked for.
    case releaseTooOld = "android-release-too-old"
    /// A filter for technologies may take the tag; which, stands in another file.
    case technologyFilter = "android-technology-filter"
  }
}
