import EventLog
import Storage

// Chunks by way of the cache.
extension Run {
    func heads(_ block: Int, isScan: Bool = false) throws(StorageError) -> RowHeads {
        let place = directory.blocks[block].chunks[0]
        if case .heads(let chunk)? = cache.chunk(key(place)) { return chunk }
        let count = directory.blocks[block].count
        let chunk = try storage.decode(place) { bytes throws(StorageError) in
            var reader = ByteReader(bytes)
            return try RowHeads(from: &reader, count: count)
        }
        cache.insert(key(place), .heads(chunk), isScan: isScan)
        return chunk
    }

    func column(
        _ block: Int, _ place: ChunkPlace, type: ValueType, isScan: Bool = false
    ) throws(StorageError) -> ColumnChunk {
        if case .column(let chunk)? = cache.chunk(key(place)) { return chunk }
        let count = directory.blocks[block].count
        let chunk = try storage.decode(place) { bytes throws(StorageError) in
            try ColumnChunk(bytes, type: type, count: count)
        }
        cache.insert(key(place), .column(chunk), isScan: isScan)
        return chunk
    }

    /// The texts of a column as numbers of the pool that the store's runs share; nil when it has too many for one.
    func texts(_ block: Int, _ place: ChunkPlace, of property: Property) throws(StorageError) -> PooledTexts? {
        guard let pool = cache.pools.pool(of: property) else { return nil }
        var known: TextNumbers?
        if case .texts(let numbers)? = cache.chunk(textsKey(place)) {
            if let texts = numbers.texts(in: pool) { return texts }
            known = numbers
        }
        let chunk = try column(block, place, type: property.type, isScan: true)
        guard case .slots(.strings(let utf8, let ends)) = chunk.payload else { return nil }
        let rows = chunk.cells.map { RowSelection(words: SlotBits.words($0), rowCount: chunk.count) }
        let codes = pool.codes(of: rows ?? RowSelection(allOf: chunk.count), utf8: utf8, ends: ends)
        cache.pools.noteGrowth(of: pool)
        let texts = PooledTexts(pool: pool, codes: codes)
        if let known {
            known.replace(by: texts)
        } else {
            cache.insert(textsKey(place), .texts(TextNumbers(texts)), isScan: true)
        }
        return texts
    }

    /// Which writes a block's registers come from, past the cache; nil when all come from those that made the objects.
    func stamps(_ block: Int) throws(StorageError) -> RowStamps? {
        let entry = directory.blocks[block]
        guard let place = entry.chunks.first(where: { $0.column == RunFormat.Column.stamps }) else { return nil }
        return try storage.decode(place) { bytes throws(StorageError) in
            var reader = ByteReader(bytes)
            return try RowStamps(from: &reader, count: entry.count, columns: entry.chunks.count - entry.firstProperty)
        }
    }

    /// The whole block: what several values of a row are read from with one look into the cache, and one read of the file.
    func rows(_ block: Int) throws(StorageError) -> BlockRows {
        if let rows = cachedRows(block) { return rows }
        let rows = try readRows(block, of: directory.sections[sectionIndex(ofBlock: block)])
        cache.insert(rowsKey(block), .rows(rows), isScan: false)
        return rows
    }

    /// The whole block, if the cache has it.
    func cachedRows(_ block: Int) -> BlockRows? {
        if case .rows(let rows)? = cache.chunk(rowsKey(block)) { rows } else { nil }
    }

    /// The whole block, past the cache.
    func readRows(_ block: Int, of section: RunDirectory.Section) throws(StorageError) -> BlockRows {
        let entry = directory.blocks[block]
        let size = entry.chunks.reduce(0) { $0 + $1.storedSize }
        return try BlockRows(entry, of: section, try storage.read(entry.chunks[0].offset, size), storage)
    }

    func terms(_ number: Int) throws(StorageError) -> TermBlock {
        let place = directory.terms.place(number)
        if case .terms(let chunk)? = cache.chunk(key(place)) { return chunk }
        let chunk = try storage.decode(place) { bytes throws(StorageError) in try TermBlock(bytes) }
        cache.insert(key(place), .terms(chunk), isScan: false)
        return chunk
    }

    /// Some of the terms, past the cache.
    func readTerms(_ number: Int) throws(StorageError) -> TermBlock {
        try storage.decode(directory.terms.place(number)) { bytes throws(StorageError) in try TermBlock(bytes) }
    }

    /// The bytes of a whole block as they are stored; each chunk's checksum was compared.
    func readStored(_ block: Int) throws(StorageError) -> [UInt8] {
        let chunks = directory.blocks[block].chunks
        let bytes = try storage.read(chunks[0].offset, chunks.reduce(0) { $0 + $1.storedSize })
        var start = 0
        for chunk in chunks {
            guard Checksum.xxh3(bytes.span.extracting(start..<start + chunk.storedSize)) == chunk.checksum else {
                throw .malformed("a checksum does not match", path: path, offset: chunk.offset)
            }
            start += chunk.storedSize
        }
        return bytes
    }

    /// Adds to damage found in a record where its block is.
    func naming<Result>(
        _ block: Int, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            guard error.code == .malformed else { throw error }
            throw .malformed(
                error.detail ?? error.code.rawValue, path: path, offset: directory.blocks[block].chunks[0].offset)
        }
    }

    private func rowsKey(_ block: Int) -> ChunkKey {
        // No chunk begins there, since the heads have more than a byte.
        ChunkKey(run: number, offset: directory.blocks[block].chunks[0].offset + 1)
    }

    private func textsKey(_ place: ChunkPlace) -> ChunkKey {
        // No chunk begins there either: a column has more than a byte, and is not what a block begins with.
        ChunkKey(run: number, offset: place.offset + 1)
    }

    private func key(_ place: ChunkPlace) -> ChunkKey { ChunkKey(run: number, offset: place.offset) }
}
