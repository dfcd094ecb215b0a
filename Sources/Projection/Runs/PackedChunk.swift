import Storage

/// A chunk ready to be stored.
struct PackedChunk {
    var column: Int
    var bytes: [UInt8]
    var size: Int
    var bounds: ColumnBounds?

    /// Compresses where that saves an eighth or more.
    init(column: Int, _ plain: [UInt8], bounds: ColumnBounds? = nil) {
        self.column = column
        size = plain.count
        bytes = LZ4.compress(plain.span) ?? plain
        self.bounds = bounds
    }
}
