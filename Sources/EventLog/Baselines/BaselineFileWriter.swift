// Invariants
// * The file is a draft, in tmp/ or, when it is received, in staged/, until `place` gives it its name; of what is in tmp/, what is left of it is removed when the store is opened next.
// * `bodies` are those that are in the draft, in order.

package import Storage

/// Writes the file of a baseline, body by body: SPEC.md, section 4.11.
package struct BaselineFileWriter {
    private let layout: StoreLayout
    private let fileSystem: any FileSystem
    private let dataset: DatasetID
    private let salt: UInt64
    private let draft: String
    private let file: any File
    private var link: UInt64 = 0
    private(set) var end = BaselineFormat.framesStart
    private(set) var bodies: [BaselineBody] = []

    init(_ log: EventLog) throws(LogError) {
        try self.init(log.layout, log.environment, dataset: log.dataset, log: log.logID)
    }

    init(_ layout: StoreLayout, _ environment: Environment, dataset: DatasetID, log: Digest128) throws(LogError) {
        self.layout = layout
        self.dataset = dataset
        let fileSystem = environment.fileSystem
        self.fileSystem = fileSystem
        salt = environment.random.next()
        draft = "\(layout.temporary)/\(Digest128.hex(environment.random.next())).base"
        let path = draft
        let header = SegmentHeader(kind: .baseline, dataset: dataset, log: log, salt: salt).encode()
        file = try LogError.wrap { () throws(StorageError) in
            let file = try fileSystem.open(path, .createNew)
            do throws(StorageError) {
                try file.write(header.span, at: 0)
            } catch {
                file.close()
                try? fileSystem.remove(path)
                throw error
            }
            return file
        }
    }

    /// Goes on with a draft of its own name, behind the bodies that are in it whole; with an empty one where that cannot be read.
    ///
    /// - Parameter digests: of the bodies that there will be.
    init(
        resuming draft: String, _ layout: StoreLayout, _ environment: Environment, dataset: DatasetID, log: Digest128,
        digests: [Digest128]
    ) throws(LogError) {
        self.layout = layout
        self.dataset = dataset
        self.draft = draft
        let fileSystem = environment.fileSystem
        self.fileSystem = fileSystem
        let fresh = environment.random.next()
        let (file, header) = try LogError.wrap { () throws(StorageError) in
            let file = try fileSystem.open(draft, .create)
            guard try file.tryLock() else {
                file.close()
                throw StorageError(.locked, "receive a baseline", path: draft)
            }
            let bytes = try file.bytes(at: 0, count: SegmentFormat.headerSize)
            return (file, try? SegmentHeader(bytes, kind: .baseline, path: draft))
        }
        self.file = file
        let isOwn = header.map { $0.dataset == dataset && $0.log == log } ?? false
        salt = isOwn ? header?.salt ?? fresh : fresh
        do throws(StorageError) {
            if isOwn {
                try take(digests)
            } else {
                try file.truncate(to: 0)
                let header = SegmentHeader(kind: .baseline, dataset: dataset, log: log, salt: salt)
                try file.write(header.encode().span, at: 0)
            }
        } catch {
            file.close()
            throw LogError(error)
        }
    }

    /// Reads what is in the draft, up to the first body that is not whole.
    private mutating func take(_ digests: [Digest128]) throws(StorageError) {
        var window = try ReadWindow(file)
        for digest in digests {
            let offset = SegmentFormat.align(end, to: SegmentFormat.frameAlignment)
            guard case .frame(let frame) = try window.frame(at: offset, salt: salt), frame.header.kind == .baseline,
                frame.header.link == link, let body = try? frame.body(), Checksum.xxh3Wide(body.span) == digest
            else { break }
            note(frame.header, digest, at: offset)
        }
        // What lies behind was not finished.
        try file.truncate(to: end)
    }

    private mutating func note(_ header: FrameHeader, _ digest: Digest128, at offset: UInt64) {
        bodies.append(
            BaselineBody(
                digest: digest, logicalSize: header.logicalLength, storedSize: header.storedLength, offset: offset))
        link = header.checksum
        end = offset + UInt64(SegmentFormat.frameHeaderSize) + UInt64(header.storedLength)
    }

    /// Makes what was appended durable.
    func sync() throws(LogError) { try LogError.wrap { () throws(StorageError) in try file.sync() } }

    /// The next body, as ``BaselineWriter`` gives it.
    package mutating func append(_ body: [UInt8]) throws(LogError) {
        try append(Frame(.baseline, body: body), digest: Checksum.xxh3Wide(body.span))
    }

    mutating func append(_ frame: Frame, digest: Digest128) throws(LogError) {
        var header = frame.header
        header.flags = bodies.isEmpty ? .firstOfGroup : []
        header.group = 1
        header.link = link
        (header.firstLSN, header.durableLSN, header.transactions) = (0, 0, 0)
        let bytes = frame.encoded(as: &header, salt: salt)
        let offset = SegmentFormat.align(end, to: SegmentFormat.frameAlignment)
        try LogError.wrap { () throws(StorageError) in try file.write(bytes.span, at: offset) }
        note(header, digest, at: offset)
    }

    /// Writes table and footer, and makes the draft's bytes durable; ``place()`` gives it its name.
    mutating func seal() throws(LogError) {
        let offset = SegmentFormat.align(end, to: SegmentFormat.frameAlignment)
        var table = ByteWriter(capacity: bodies.count * BaselineFormat.tableEntrySize)
        for body in bodies {
            table.u64(body.offset)
            table.u32(body.logicalSize)
            table.u32(body.storedSize)
            table.digest(body.digest)
        }
        var footer = ByteWriter(capacity: BaselineFormat.footerSize)
        footer.raw(Array(BaselineFormat.footerMagic.utf8))
        footer.u64(offset)
        footer.u64(UInt64(bodies.count))
        footer.u64(Checksum.xxh3(table.bytes.span, seed: salt))
        footer.zeros(24)
        footer.u64(Checksum.xxh3(footer.bytes.span, seed: salt))
        let bytes = table.bytes + footer.bytes
        try LogError.wrap { () throws(StorageError) in
            try file.write(bytes.span, at: offset)
            try file.sync()
        }
    }

    /// Of the bodies so far.
    package var identity: Digest128 { BaselineIdentity.of(bodies.map(\.digest), dataset: dataset) }

    /// Gives the file its name in the log, durably; it means nothing until the log refers to it.
    ///
    /// The caller holds the writers' lock, for whoever opens the store removes what nothing refers to.
    func place() throws(LogError) {
        let path = layout.baseline(identity)
        try LogError.wrap { () throws(StorageError) in
            try fileSystem.rename(draft, to: path)
            try fileSystem.syncDirectory(layout.log)
        }
        // Not before: the lock of a draft of its own name keeps others from going on with it.
        file.close()
    }

    /// Ends the draft, and gives it as the file that it will be.
    package mutating func draftFile() throws(LogError) -> BaselineFile {
        try seal()
        file.close()
        return try sealed()
    }

    /// The draft as the file that it will be, once it is sealed.
    func sealed() throws(LogError) -> BaselineFile {
        try BaselineFile(draft, identity: identity, dataset: dataset, in: fileSystem)
    }

    func close() { file.close() }

    package func discard() {
        file.close()
        try? fileSystem.remove(draft)
    }
}
