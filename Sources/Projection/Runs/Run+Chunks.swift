import EventLog
import Storage

// Chunks by way of the cache.
extension Run {
    func heads(_ block: Int, isScan: Bool = false) throws(StorageError) -> RowHeads {
        let entry = directory.blocks[block]
        let place = entry.chunks[0]
        if case .heads(let chunk)? = cache.chunk(key(place)) { return chunk }
        let chunk = try storage.decode(place) { bytes throws(StorageError) in
            var reader = ByteReader(bytes)
            return try RowHeads(from: &reader, count: entry.count)
        }
        cache.insert(key(place), .heads(chunk), isScan: isScan)
        return chunk
    }

    func stamps(_ block: Int, _ place: ChunkPlace, columns: Int) throws(StorageError) -> RowStamps {
        if case .stamps(let chunk)? = cache.chunk(key(place)) { return chunk }
        let count = directory.blocks[block].count
        let chunk = try storage.decode(place) { bytes throws(StorageError) in
            var reader = ByteReader(bytes)
            return try RowStamps(from: &reader, count: count, columns: columns)
        }
        cache.insert(key(place), .stamps(chunk), isScan: false)
        return chunk
    }

    func extra(_ block: Int, _ place: ChunkPlace) throws(StorageError) -> ExtraRows {
        if case .extra(let chunk)? = cache.chunk(key(place)) { return chunk }
        let count = directory.blocks[block].count
        let chunk = try storage.decode(place) { bytes throws(StorageError) in
            var reader = ByteReader(bytes)
            return try ExtraRows(from: &reader, count: count)
        }
        cache.insert(key(place), .extra(chunk), isScan: false)
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

    func terms(_ number: Int) throws(StorageError) -> TermBlock {
        let place = directory.terms.place(number)
        if case .terms(let chunk)? = cache.chunk(key(place)) { return chunk }
        let chunk = try storage.decode(place) { bytes throws(StorageError) in try TermBlock(bytes) }
        cache.insert(key(place), .terms(chunk), isScan: false)
        return chunk
    }

    private func key(_ place: ChunkPlace) -> ChunkKey { ChunkKey(run: number, offset: place.offset) }
}
