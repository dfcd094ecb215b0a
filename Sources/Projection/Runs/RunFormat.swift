/// The constants of a run file, shared by its writer and its reader (SPEC.md, section 12).
enum RunFormat {
    static let magic = Array("strlrun\n".utf8)
    static let version: UInt32 = 1
    /// Magic, version, zero u32.
    static let headerSize = 16
    /// Directory: offset u64, stored size u64, size u64, checksum u64; version u32, zero u32; checksum of these; magic.
    static let footerSize = 56
    /// A row's number is its block's shifted by this, plus its place in the block.
    static let rowShift = 12
    static let blockRows = 1 << rowShift
    /// A block is also full when its values take about so many bytes.
    static let blockBytes = 4 << 20
    /// Row numbers have 32 bits.
    static let maximumBlocks = 1 << (32 - rowShift)
    static let termsPerBlock = 1024
    /// Strings of bounds are cut to this many bytes.
    static let boundBytes = 24

    /// What a chunk holds, in the directory's numbers; properties come after the fixed ones.
    enum Column {
        static let heads = 0
        static let stamps = 1
        static let extra = 2
        static let firstProperty = 3
    }

    /// How the values of a column chunk are stored.
    enum Form {
        static let none: UInt8 = 0
        static let bits: UInt8 = 1
        static let ints: UInt8 = 2
        static let words: UInt8 = 3
        static let wholeNumbers: UInt8 = 4
        static let bytes: UInt8 = 5
        static let dictionary: UInt8 = 6
        static let digests: UInt8 = 7
        static let references: UInt8 = 8
        static let blobs: UInt8 = 9
    }

    /// What the rows of a column chunk have.
    enum CellForm {
        static let allValues: UInt8 = 0
        static let allNull: UInt8 = 1
        static let valueOrNull: UInt8 = 2
        static let valueOrAbsent: UInt8 = 3
        static let each: UInt8 = 4
    }
}
