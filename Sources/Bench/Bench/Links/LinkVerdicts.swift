import AppLinks
import UniversalLinks

/// What a tag's message does on phones, a verdict for each platform that somebody asked about.
package struct LinkVerdicts {
  package var iphone: LinkCheck?
  package var android: AppLinkCheck?

  package init(iphone: LinkCheck? = nil, android: AppLinkCheck? = nil) {
    (self.iphone, self.android) = (iphone, android)
  }
}
