import TagMemory

/// Who may read, write and change the message's file of a Type 4 tag: what the container says, and
/// what the chip does, where it tells its settings of the file.
struct Type4Rights: Hashable {
  let product: Product
  /// What the container says of the file.
  let control: FileControl
  /// What the chip does; nil where it does not tell.
  let file: DESFireRights?

  /// Is true if a reader without keys can read the message.
  var isFreeToRead: Bool { control.readAccess == .free && file?.isFreeToRead ?? true }
  /// Is true if a reader without keys can write it.
  var isFreeToWrite: Bool { control.writeAccess == .free && file?.isFreeToWrite ?? true }

  /// Is true if nobody can write the message any more, or change that; of a DESFire nobody without
  /// the application's key. What a container says does not keep anybody from writing a file of
  /// these chips; nil where they do not tell what does.
  var isLocked: Bool? {
    let isBarred = control.writeAccess == .never
    guard let file else { return isBarred && product.isNTAG424 ? nil : isBarred }
    guard !product.isNTAG424 else { return file.isClosed }
    return isBarred && !file.isFreeToWrite && file.change != DESFireRights.everyone
  }

  /// The key that can write the message, or let others; nil where none can.
  var writingKey: UInt8? {
    file.flatMap { file in
      [file.write, file.readAndWrite, file.change].first { $0 < DESFireRights.everyone }
    }
  }
}

extension Type4State {
  /// Nil where the tag has no container that can be used.
  var rights: Type4Rights? {
    (application?.container?.message).map {
      Type4Rights(product: product, control: $0, file: messageSettings?.rights)
    }
  }

  /// In CoreNFC's words.
  var status: NDEFStatus {
    guard let application, let container = application.container, let rights,
      application.refusal == nil, rights.isFreeToRead
    else { return .notSupported }
    return rights.isFreeToWrite ? container.status : .readOnly
  }
}
