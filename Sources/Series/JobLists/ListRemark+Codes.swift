import RecordText

extension ListRemark {
  /// Of the message: what a code over the UID is worth.
  static func of(_ message: MessageTemplate) -> [ListRemark] {
    let isOverUID = message.records.contains { record in
      ((try? Template(record.text))?.fields ?? []).contains { name in
        ((try? HMACField(name)) ?? nil)?.input == .uid
      }
    }
    guard isOverUID else { return [] }
    return [
      ListRemark(
        code: "hmac-of-uid",
        text:
          "A code over the UID proves that you have made the link for that UID. A tag with a copied UID shows the same: --sdm with NTAG 424 DNA tags withstands that."
      )
    ]
  }
}
