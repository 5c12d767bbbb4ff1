/// Services whose links lead somewhere else: known by their hosts, without asking anybody.
enum ShortLinks {
  /// What the host is; nil for a host that is none of them.
  static func service(of host: String) -> String? {
    let name = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    if shorteners.contains(name) { return "a link shortener" }
    return trackers.first { name == $0 || name.hasSuffix("." + $0) }.map { _ in
      "a service that tracks links"
    }
  }

  private static let shorteners: Set = [
    "bit.ly", "bitly.com", "j.mp", "tinyurl.com", "t.co", "goo.gl", "ow.ly", "is.gd", "v.gd",
    "buff.ly", "rebrand.ly", "cutt.ly", "rb.gy", "shorturl.at", "tiny.cc", "t.ly", "s.id",
    "lnkd.in", "fb.me", "amzn.to", "dlvr.it", "bl.ink", "soo.gd", "clck.ru", "qr.ae", "qrco.de",
    "q-r.to", "me-qr.com", "x.gd", "urlz.fr", "short.gy", "shorte.st", "adf.ly", "trib.al",
    "po.st", "mcaf.ee", "1url.com", "kutt.it",
  ]
  private static let trackers = [
    "page.link", "sendgrid.net", "list-manage.com", "hubspotlinks.com", "mailchi.mp",
    "awstrack.me",
  ]
}
