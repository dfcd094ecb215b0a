package import EventLog
package import Storage

// Invariants
// * Memory is bounded by one block, the directory and the terms that were given with records.
// * `offset` is where the next byte goes; everything before it was written, and nothing is durable before `finish()`.
// * A writer that is dropped unfinished, or that failed, removes its file.
// One caller at a time.

/// Writes a run file: records in the order of (section, id), then the terms and the directory.
package final class RunWriter {
    private let fileSystem: any FileSystem
    private let path: String
    private let file: any File
    private var offset = UInt64(RunFormat.headerSize)
    private var directory = RunDirectory()
    private var builder = BlockBuilder()
    private var terms = TermCollector()
    /// Of the last section of the directory; properties by first use.
    private var numbers: [Property: Int] = [:]
    private var lastID: ObjectID?
    private var isFinished = false

    /// Creates the file anew.
    package init(fileSystem: any FileSystem, path: String) throws(StorageError) {
        self.fileSystem = fileSystem
        self.path = path
        // Never build on what an earlier attempt left: a file whose sync once failed may lie about its contents for ever.
        try fileSystem.removeTree(path)
        file = try fileSystem.open(path, .createNew)
        var header = ByteWriter()
        header.raw(RunFormat.magic)
        header.u32(RunFormat.version)
        header.u32(0)
        try file.write(header.bytes.span, at: 0)
    }

    deinit {
        file.close()
        // Best effort: a leftover is referred to by nothing, and the next writer of this path removes it.
        if !isFinished { try? fileSystem.remove(path) }
    }

    /// Adds a record, which must come behind the last one in the order of (section, id).
    ///
    /// - Returns: The number of its row.
    @discardableResult
    package func append(_ id: ObjectID, _ record: HeldRecord, terms: RunTerms) throws(StorageError) -> Int {
        let row = try append(id, record)
        self.terms.append(terms, row: row)
        return row
    }

    /// Adds a record whose terms come with ``finish(terms:)``.
    func append(_ id: ObjectID, _ record: HeldRecord) throws(StorageError) -> Int {
        try enter(RunSection(of: record), at: id)
        if builder.isFull { try flushBlock() }
        let row = directory.blocks.count << RunFormat.rowShift | builder.count
        builder.append(id, record)
        lastID = id
        return row
    }

    /// Adds rows of inserts, which must come behind the last record in the order of (section, id).
    func append(_ rows: InsertedRows, _ range: Range<Int>, _ schema: SchemaState) throws(StorageError) {
        var terms = RowTerms(rows, schema)
        try enter(RunSection(entity: rows.entity), at: rows.id(range.lowerBound))
        var next = range.lowerBound
        while next < range.upperBound {
            if builder.isFull { try flushBlock() }
            let row = directory.blocks.count << RunFormat.rowShift | builder.count
            let count = builder.append(rows, next..<range.upperBound)
            for offset in 0..<count { terms.forEach(next + offset) { self.terms.append($0, row: row + offset) } }
            next += count
        }
        lastID = rows.id(range.upperBound - 1)
    }

    /// Adds a block of another run as it is stored.
    ///
    /// - Returns: its number here.
    func copy(_ number: Int, of run: Run) throws(StorageError) -> Int {
        let section = run.directory.sections[run.sectionIndex(ofBlock: number)].section
        return try append(try run.storedBlock(number), in: section)
    }

    /// Adds a block that is stored as it is.
    ///
    /// - Returns: its number here.
    func append(_ block: StoredBlock, in section: RunSection) throws(StorageError) -> Int {
        try enter(section, at: block.first)
        try flushBlock()
        try checkRoom()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(block.parts.reduce(0) { $0 + $1.bytes.count })
        var chunks: [ChunkPlace] = []
        for part in block.parts {
            var place = part.place
            place.offset = offset + UInt64(bytes.count)
            if let property = part.property { place.column = RunFormat.Column.firstProperty + numberOf(property) }
            chunks.append(place)
            bytes.append(contentsOf: part.bytes)
        }
        try write(bytes)
        lastID = block.last
        directory.blocks.append(
            RunDirectory.Block(count: block.count, first: block.first, last: block.last, chunks: chunks))
        return directory.blocks.count - 1
    }

    /// Writes the rest and makes the file and its name durable.
    package func finish() throws(StorageError) -> RunSummary {
        try finish { at, write throws(StorageError) in try self.terms.write(at: at, write) }
    }

    /// ``finish()`` with the terms of the runs that were merged.
    func finish(terms: TermMerge) throws(StorageError) -> RunSummary {
        try finish { at, write throws(StorageError) in
            var terms = terms
            var index = TermIndexWriter(at: at, expecting: terms.count)
            try terms.forEachPair { pair throws(StorageError) in try index.append(pair, write) }
            return try index.finish(write)
        }
    }

    /// ``finish()`` with the terms of a run all of whose rows are here, under the same numbers.
    func finish(termsOf run: Run) throws(StorageError) -> RunSummary {
        try finish { at, write throws(StorageError) in
            var terms = run.directory.terms
            guard terms.count > 0 else { return terms }
            for number in terms.firsts.indices { try write(try run.storage.decode(terms.place(number)) { $0 }) }
            try write(try run.storage.decode(terms.filterPlace) { $0 })
            terms.offset = at
            return terms
        }
    }

    private func finish(
        _ writeTerms: (UInt64, ([UInt8]) throws(StorageError) -> Void) throws(StorageError) -> TermDirectory
    ) throws(StorageError) -> RunSummary {
        precondition(!isFinished, "the run at \(path) is finished already")
        try flushBlock()
        endSection()
        directory.terms = try writeTerms(offset) { bytes throws(StorageError) in try write(bytes) }
        var plain = ByteWriter()
        directory.write(to: &plain)
        let packed = PackedChunk(column: 0, plain.bytes)
        var footer = ByteWriter()
        footer.u64(offset)
        footer.u64(UInt64(packed.bytes.count))
        footer.u64(UInt64(packed.size))
        footer.u64(Checksum.xxh3(packed.bytes.span))
        footer.u32(RunFormat.version)
        footer.u32(0)
        footer.u64(Checksum.xxh3(footer.bytes.span))
        footer.raw(RunFormat.magic)
        try write(packed.bytes)
        try write(footer.bytes)
        try file.sync()
        try fileSystem.syncDirectory(Path.parent(of: path))
        isFinished = true
        return RunSummary(
            rowCount: directory.rowCount, blockCount: directory.blocks.count, termCount: directory.terms.count,
            byteCount: offset)
    }

    /// Checks that an object of a section may come next, and begins the section when it is its first.
    private func enter(_ section: RunSection, at id: ObjectID) throws(StorageError) {
        precondition(!isFinished, "the run at \(path) is finished; nothing can be added")
        if let held = directory.sections.last, held.section == section {
            precondition(lastID.map { $0 < id } ?? true, "\(id) comes too late: a run's records ascend by section and id")
        } else {
            try begin(section)
        }
    }

    private func begin(_ section: RunSection) throws(StorageError) {
        if let held = directory.sections.last {
            precondition(held.section < section, "a record of an earlier section comes too late")
            try flushBlock()
            endSection()
        }
        let start = directory.blocks.count
        directory.sections.append(RunDirectory.Section(section: section, properties: [], blocks: start..<start))
        builder = BlockBuilder()
        numbers = [:]
        lastID = nil
    }

    private func flushBlock() throws(StorageError) {
        guard let first = builder.first, let last = builder.last else { return }
        try checkRoom()
        let count = builder.count
        let chunks = builder.take { numberOf($0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chunks.reduce(0) { $0 + $1.bytes.count })
        var places: [ChunkPlace] = []
        for chunk in chunks {
            places.append(
                ChunkPlace(
                    column: chunk.column, offset: offset + UInt64(bytes.count), storedSize: chunk.bytes.count,
                    size: chunk.size, checksum: Checksum.xxh3(chunk.bytes.span), bounds: chunk.bounds))
            bytes.append(contentsOf: chunk.bytes)
        }
        try write(bytes)
        directory.blocks.append(RunDirectory.Block(count: count, first: first, last: last, chunks: places))
    }

    private func checkRoom() throws(StorageError) {
        guard directory.blocks.count < RunFormat.maximumBlocks else {
            throw StorageError(.unsupported, "write", path: path, detail: "a run has at most \(RunFormat.maximumBlocks) blocks")
        }
    }

    /// The number of a property in the section at hand.
    private func numberOf(_ property: Property) -> Int {
        let number = numbers[property] ?? numbers.count
        numbers[property] = number
        return number
    }

    /// Properties get the numbers of their order; chunks are in that order already.
    private func endSection() {
        guard let section = directory.sections.indices.last else { return }
        let properties = numbers.keys.sorted()
        var renumbered = [Int](repeating: 0, count: properties.count)
        for (number, property) in properties.enumerated() { renumbered[numbers[property] ?? 0] = number }
        let blocks = directory.sections[section].blocks.lowerBound..<directory.blocks.count
        directory.sections[section].properties = properties
        directory.sections[section].blocks = blocks
        for block in blocks {
            for chunk in directory.blocks[block].chunks.indices {
                let number = directory.blocks[block].chunks[chunk].column - RunFormat.Column.firstProperty
                guard number >= 0 else { continue }
                directory.blocks[block].chunks[chunk].column = RunFormat.Column.firstProperty + renumbered[number]
            }
        }
    }

    private func write(_ bytes: [UInt8]) throws(StorageError) {
        try file.write(bytes.span, at: offset)
        offset += UInt64(bytes.count)
    }
}
