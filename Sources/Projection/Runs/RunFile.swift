import Storage

/// Reads the bytes of a run: nothing leaves here whose checksum was not compared.
struct RunFile {
    let file: any File
    let path: String

    /// The directory, by way of header and footer, and the checksum of the footer: by that it vouches for every byte of the run.
    func directory(fileSize: UInt64) throws(StorageError) -> (directory: RunDirectory, checksum: UInt64) {
        let fixed = UInt64(RunFormat.headerSize + RunFormat.footerSize)
        guard fileSize >= fixed, fileSize < 1 << 40 else {
            throw .malformed("a run of \(fileSize) bytes", path: path, offset: 0)
        }
        var header = ByteReader(try read(0, RunFormat.headerSize))
        try check(header: &header)
        let end = fileSize - UInt64(RunFormat.footerSize)
        let (place, checksum) = try footer(at: end)
        let directory = try decode(place) { chunk throws(StorageError) in
            var reader = ByteReader(chunk)
            let directory = try RunDirectory(from: &reader)
            try check(directory, end: place.offset)
            return directory
        }
        return (directory, checksum)
    }

    /// A chunk, checked and decompressed.
    func decode<Result>(
        _ place: ChunkPlace, _ body: ([UInt8]) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try decode(try read(place.offset, place.storedSize), place, body)
    }

    /// A chunk whose bytes were read.
    func decode<Result>(
        _ stored: [UInt8], _ place: ChunkPlace, _ body: ([UInt8]) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) {
            guard Checksum.xxh3(stored.span) == place.checksum else { throw .malformed("a checksum does not match") }
            return try body(place.size == place.storedSize ? stored : LZ4.decompress(stored.span, size: place.size))
        } catch {
            guard error.code == .malformed else { throw error }
            // What is wrong lies in the chunk, perhaps in what it decompresses to; so its beginning is what can be told.
            throw .malformed(error.detail ?? error.code.rawValue, path: path, offset: place.offset)
        }
    }

    /// Exactly so many bytes.
    func read(_ offset: UInt64, _ count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let done = try file.read(into: &span, at: offset)
        guard done == count else {
            throw .malformed("\(count) bytes are needed and \(done) are there", path: path, offset: offset)
        }
        return bytes
    }

    private func check(header: inout ByteReader) throws(StorageError) {
        guard Array(try header.bytes(RunFormat.magic.count)) == RunFormat.magic else {
            throw .malformed("the file is no run", path: path, offset: 0)
        }
        let version = try header.u32()
        guard version == RunFormat.version else {
            throw .newerVersion("a run of version \(version)", path: path, offset: 0)
        }
        guard try header.u32() == 0 else { throw .malformed("a header with more in it", path: path, offset: 0) }
    }

    /// Where the directory is, and the footer's own checksum.
    private func footer(at offset: UInt64) throws(StorageError) -> (place: ChunkPlace, checksum: UInt64) {
        let bytes = try read(offset, RunFormat.footerSize)
        let checked = RunFormat.footerSize - 16
        var reader = ByteReader(bytes)
        let start = try reader.u64()
        let stored = try reader.u64()
        let size = try reader.u64()
        let checksum = try reader.u64()
        let version = try reader.u32()
        let reserved = try reader.u32()
        let own = try reader.u64()
        let isSound = own == Checksum.xxh3(bytes.span.extracting(0..<checked))
        let magic = Array(try reader.bytes(RunFormat.magic.count))
        guard isSound, magic == RunFormat.magic, version == RunFormat.version, reserved == 0,
            start >= UInt64(RunFormat.headerSize), start <= offset, offset - start == stored, size >= stored, size < 1 << 40
        else {
            throw .malformed("the run has no sound end", path: path, offset: offset)
        }
        return (ChunkPlace(column: 0, offset: start, storedSize: Int(stored), size: Int(size), checksum: checksum), own)
    }

    /// Everything must lie between header and directory, so that no length of it is larger than the file.
    private func check(_ directory: RunDirectory, end: UInt64) throws(StorageError) {
        var next = UInt64(RunFormat.headerSize)
        for block in directory.blocks {
            guard block.chunks.first?.offset == next else { throw .malformed("a block at the wrong place") }
            for chunk in block.chunks { next += UInt64(chunk.storedSize) }
            guard next <= end else { throw .malformed("a block past the end") }
        }
        let terms = directory.terms
        guard terms.count > 0 else {
            guard next == end else { throw .malformed("\(end - next) bytes that nothing refers to") }
            return
        }
        let filter = terms.filterPlace
        guard terms.offset == next, filter.offset + UInt64(filter.storedSize) == end else {
            throw .malformed("terms at the wrong place")
        }
    }
}
