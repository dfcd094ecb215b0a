// Invariants
// * Header, footer and table were checked when it was opened, and the table gives the identity; a body is checked when it is read.

package import Storage

/// The bodies of a baseline in a store's log.
package struct BaselineFile: Sendable {
    package let identity: Digest128
    package let bodies: [BaselineBody]
    /// Bytes of the file.
    package let size: UInt64
    private let file: any File
    private let salt: UInt64

    var path: String { file.path }

    /// - Throws: `corrupt` for a file that is not whole, or is another baseline; `storage` with `notFound` when it is not there.
    init(_ path: String, identity: Digest128, dataset: DatasetID, in fileSystem: any FileSystem) throws(LogError) {
        let file = try LogError.wrap { () throws(StorageError) in try fileSystem.open(path, .read) }
        do throws(LogError) {
            let (head, size) = try LogError.wrap { () throws(StorageError) in
                (try file.bytes(at: 0, count: SegmentFormat.headerSize), try file.size())
            }
            let header = try SegmentHeader(head, kind: .baseline, path: path)
            guard header.dataset == dataset else {
                throw LogError(.corrupt, "the file belongs to another dataset; \(LogError.restoration)", path: path)
            }
            bodies = try LogError.damage(in: path) { () throws(StorageError) in
                try Self.table(file, size: size, salt: header.salt)
            }
            guard BaselineIdentity.of(bodies.map(\.digest), dataset: dataset) == identity else {
                throw LogError(.corrupt, "the file is not the baseline of its name; \(LogError.restoration)", path: path)
            }
            self.identity = identity
            self.size = size
            self.file = file
            salt = header.salt
        } catch {
            file.close()
            throw error
        }
    }

    private static func table(_ file: any File, size: UInt64, salt: UInt64) throws(StorageError) -> [BaselineBody] {
        let least = BaselineFormat.framesStart + UInt64(BaselineFormat.footerSize)
        guard size >= least else { throw .malformed("a file that is too short", offset: size) }
        let place = size - UInt64(BaselineFormat.footerSize)
        let bytes = try file.bytes(at: place, count: BaselineFormat.footerSize)
        var footer = ByteReader(bytes)
        let magic = try footer.bytes(8)
        let (offset, count, sum) = (try footer.u64(), try footer.u64(), try footer.u64())
        try footer.skip(24)
        guard magic.elementsEqual(BaselineFormat.footerMagic.utf8),
            try footer.u64() == Checksum.xxh3(bytes.span.extracting(0..<56), seed: salt)
        else { throw .malformed("the footer is missing or damaged", offset: place) }
        guard count > 0, count <= UInt64(BaselineFormat.maximumBodies), offset >= BaselineFormat.framesStart, offset < place,
            place - offset == count * UInt64(BaselineFormat.tableEntrySize)
        else { throw .malformed("a table of \(count) bodies where none can be", offset: place) }
        let stored = try file.bytes(at: offset, count: Int(place - offset))
        guard Checksum.xxh3(stored.span, seed: salt) == sum else { throw .malformed("the table is damaged", offset: offset) }
        var table = ByteReader(stored)
        var bodies: [BaselineBody] = []
        bodies.reserveCapacity(Int(count))
        for _ in 0..<count {
            let start = try table.u64()
            let (logical, stored) = (try table.u32(), try table.u32())
            bodies.append(
                BaselineBody(digest: try table.digest(), logicalSize: logical, storedSize: stored, offset: start))
        }
        return bodies
    }

    /// The frame of a body, as it is stored.
    package func frame(_ number: Int) throws(LogError) -> Frame {
        let body = bodies[number]
        let found = try LogError.wrap { () throws(StorageError) in
            var window = try ReadWindow(file)
            return try window.frame(at: body.offset, salt: salt)
        }
        guard case .frame(let frame) = found, frame.header.kind == .baseline,
            frame.header.storedLength == body.storedSize, frame.header.logicalLength == body.logicalSize
        else {
            throw LogError(
                .corrupt, "body \(number) of the baseline does not match its checksum; \(LogError.restoration)", path: path,
                offset: body.offset)
        }
        return frame
    }

    /// The logical bytes of a body.
    package func body(_ number: Int) throws(LogError) -> [UInt8] {
        let frame = try frame(number)
        let bytes = try LogError.damage(in: path, at: bodies[number].offset) { () throws(StorageError) in try frame.body() }
        guard Checksum.xxh3Wide(bytes.span) == bodies[number].digest else {
            throw LogError(
                .corrupt, "body \(number) of the baseline is another one; \(LogError.restoration)", path: path,
                offset: bodies[number].offset)
        }
        return bytes
    }

    /// A reader of a body.
    package func reader(_ number: Int) throws(LogError) -> BaselineReader {
        let bytes = try body(number)
        let reader = try LogError.damage(in: path, at: bodies[number].offset) { () throws(StorageError) in
            try BaselineReader(bytes)
        }
        guard reader.number == UInt64(number), reader.isLast == (number == bodies.count - 1) else {
            throw LogError(
                .corrupt, "body \(reader.number) of the baseline stands where \(number) belongs; \(LogError.restoration)",
                path: path, offset: bodies[number].offset)
        }
        return reader
    }

    /// The floor and the schema: all that comes before the objects.
    package func frame() throws(LogError) -> Baseline {
        var frame = Baseline()
        for number in bodies.indices {
            var reader = try reader(number)
            for entry in reader.floor { frame.join(entry) }
            frame.schema += reader.schema
            let first = try LogError.damage(in: path, at: bodies[number].offset) { () throws(StorageError) in
                try reader.next()
            }
            if first != nil { break }
        }
        return frame
    }
}

extension StoreLayout {
    package func baseline(_ identity: Digest128) -> String { "\(log)/\(identity).base" }

    /// The identity in the name of a baseline's file; nil for any other name.
    package static func parse(baseline name: String) -> Digest128? {
        guard name.utf8.count == 37, name.hasSuffix(".base") else { return nil }
        let digits = name.dropLast(5)
        guard let identity = Digest128(digits), "\(identity).base" == name else { return nil }
        return identity
    }
}
