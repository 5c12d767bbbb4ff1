extension Finding.Code {
  /// How much depends on a finding of this kind.
  public var severity: Finding.Severity {
    Self.notes.contains(self) ? .note : Self.warnings.contains(self) ? .warning : .error
  }

  private static let notes: Set<Finding.Code> = [.redundantComponent, .appsNotEmpty]

  private static let warnings: Set<Finding.Code> = [
    .byteOrderMark, .unknownKey, .detailsDictionary, .appsMissing, .appIDDuplicate,
    .appIDPrefixLength, .appInSeveralEntries, .onlyExclusions, .pathsIgnored,
    .defaultsWithPaths, .duplicateComponent, .maskingNotChecked,
    .emptyComponent, .ampersand, .wildcardBeforeSlash, .lowerCaseEscape, .unclosedVariable,
    .unusedVariable, .redefinedVariable, .httpLink, .undocumentedScheme, .notAWebLink,
    .hostNotASCII, .hostNotLowerCase, .urlTooLong, .escapeNotUTF8, .encodedOnWriting,
    .lowerCaseEscapeInURL, .dotSegments, .doubleSlash, .fragmentNeedsRule, .recordIgnored,
    .uriNotFirst, .furtherURIs, .classicCarrier, .mirrorInURI, .associationNotChecked,
    .appClipOnly, .appClipDefaultLink, .severalApps, .otherAppClaims, .queryInPath, .contentType,
    .onlyAtRoot,
    .placesDiffer, .cdnDiffers, .cdnWithout,
    .cdnNotCompared, .cdnDecidesOtherwise, .cdnRefused, .siteTrusted, .mixedForms,
    .assumedAssociation, .entitlementMode, .shortLink, .linkRedirects,
    .assetLinksHandedOver, .assetLinksInclude, .fingerprintNotChecked, .assetLinksNotChecked,
    .manifestReference, .assetLinksSpoilt, .assetLinksOfOtherHost, .dynamicRulesMalformed,
    .dynamicRulesTwice, .manifestNotChecked, .targetNotKnown, .activityGuarded,
    .permissionUnknown, .technologyFilter, .restsOnUndocumented, .linkVaries,
  ]

  /// Is true if a yes cannot be said with it.
  package var isDoubt: Bool { Self.doubts.contains(self) }

  private static let doubts: Set<Finding.Code> = [
    .associationNotChecked, .unplacedAssociation, .httpLink, .restsOnUndocumented, .linkVaries,
    .entitlementMode,
    .assetLinksNotChecked, .assetLinksHandedOver, .assetLinksOfOtherHost, .assetLinksInclude,
    .assetLinksSpoilt, .dynamicRulesTwice, .manifestNotChecked, .manifestReference,
    .targetNotKnown, .permissionUnknown, .technologyFilter,
  ]
}
