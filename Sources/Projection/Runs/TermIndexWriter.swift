import Storage

// Invariants
// * `pending` is less than a block; everything before it was written.

/// Writes the terms of a run as they come, ascending by hash and row: blocks of pairs, then the filter.
struct TermIndexWriter {
    private var directory = TermDirectory()
    private var filter: TermFilter
    private var pending: [TermPair] = []

    /// - Parameters:
    ///   - offset: where the first byte will lie.
    ///   - distinct: how many different hashes come, or more; the filter is as large.
    init(at offset: UInt64, expecting distinct: Int) {
        directory.offset = offset
        filter = TermFilter(count: distinct)
        pending.reserveCapacity(RunFormat.termsPerBlock)
    }

    /// - Parameter write: is given the bytes that come next.
    mutating func append(_ pair: TermPair, _ write: ([UInt8]) throws(StorageError) -> Void) throws(StorageError) {
        if pending.last?.hash != pair.hash { filter.insert(pair.hash) }
        pending.append(pair)
        if pending.count == RunFormat.termsPerBlock { try flush(write) }
    }

    /// Where everything lies.
    mutating func finish(_ write: ([UInt8]) throws(StorageError) -> Void) throws(StorageError) -> TermDirectory {
        try flush(write)
        guard directory.count > 0 else { return TermDirectory() }
        let bytes = filter.bytes
        directory.filterBlocks = filter.blockCount
        directory.filterChecksum = Checksum.xxh3(bytes.span)
        try write(bytes)
        return directory
    }

    private mutating func flush(_ write: ([UInt8]) throws(StorageError) -> Void) throws(StorageError) {
        guard let first = pending.first else { return }
        var writer = ByteWriter(capacity: pending.count * TermDirectory.pairSize)
        for pair in pending { writer.u64(pair.hash) }
        for pair in pending { writer.u32(pair.row) }
        directory.count += pending.count
        directory.firsts.append(first.hash)
        directory.checksums.append(Checksum.xxh3(writer.bytes.span))
        try write(writer.bytes)
        pending.removeAll(keepingCapacity: true)
    }
}

/// A term, and a row that has it.
struct TermPair {
    var hash: UInt64
    var row: UInt32
}
