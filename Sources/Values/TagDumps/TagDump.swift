import TagMemory

/// Everything that can be read of a tag: its memory, and what it says of itself. The type is that
/// of TagMemory, so that whoever reads and writes files needs this module alone.
public typealias TagDump = TagMemory.TagDump
