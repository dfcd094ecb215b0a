// Invariants
// * The draft `staged/<identity>.part` holds the bodies 0 ..< `next`, each as it was announced. It outlives the process.
// * The draft's own lock is held by whoever receives into it.
// * Nothing of it is in the log before `finish`, and all of it is when that returns.

package import Storage

/// Takes in a baseline from elsewhere, body by body, and joins it to a log.
///
/// ```swift
/// var receiver = try BaselineReceiver(log, identity: identity, digests: digests)
/// while let number = receiver.next { try receiver.add(number, frame) }
/// let joined = try receiver.finish()
/// ```
///
/// What was received survives a crash; beginning again with the same baseline goes on where it stopped. Memory holds one body.
package struct BaselineReceiver {
    private let log: EventLog
    package let identity: Digest128
    private let digests: [Digest128]
    private var writer: BaselineFileWriter
    /// Bytes of the draft that are surely durable.
    private var synced: UInt64
    /// The whole baseline, once it was read to its end and found sound.
    private var verified: BaselineFile?

    /// How much may have to be received again after a power cut.
    private static let syncInterval: UInt64 = 8 << 20

    /// - Parameters:
    ///   - identity: of the baseline.
    ///   - digests: of its bodies, in order; the identity proves them.
    /// - Throws: `invalidTransaction` when the two do not agree, `readOnly`, `storage`; with `locked` when somebody else receives it.
    package init(_ log: EventLog, identity: Digest128, digests: [Digest128]) throws(LogError) {
        guard log.mode == .readWrite else {
            throw LogError(.readOnly, "the store was opened for reading only; open it for writing", path: log.layout.root)
        }
        guard !digests.isEmpty, digests.count <= BaselineFormat.maximumBodies,
            BaselineIdentity.of(digests, dataset: log.dataset) == identity
        else {
            throw LogError(.invalidTransaction, "the bodies that were announced do not make the baseline \(identity)")
        }
        self.log = log
        self.identity = identity
        self.digests = digests
        writer = try BaselineFileWriter(
            resuming: "\(log.layout.staged)/\(identity).part", log.layout, log.environment, dataset: log.dataset,
            log: log.logID, digests: digests)
        synced = 0
    }

    /// The body that is due, nil when all are here.
    package var next: Int? { writer.bodies.count < digests.count ? writer.bodies.count : nil }

    /// Whether a body is here already.
    package func has(_ number: Int) -> Bool { number < writer.bodies.count }

    /// Takes a body; one that is here already is left out.
    ///
    /// - Throws: `gap` when another one is due, `invalidTransaction` when it is not the one that was announced.
    package mutating func add(_ number: Int, _ frame: Frame) throws(LogError) {
        guard !has(number) else { return }
        guard number == next else {
            throw LogError(.gap, "body \(number) of a baseline came, and \(writer.bodies.count) of \(digests.count) is due")
        }
        let body: [UInt8]
        do throws(StorageError) { body = try frame.body() } catch {
            throw LogError(.invalidTransaction, "body \(number) of a baseline cannot be read: \(error.detail ?? "damaged")")
        }
        guard frame.header.kind == .baseline, Int(frame.header.logicalLength) <= BaselineFormat.maximumBody,
            Checksum.xxh3Wide(body.span) == digests[number]
        else {
            throw LogError(.invalidTransaction, "body \(number) of a baseline is not the one that was announced")
        }
        try writer.append(frame, digest: digests[number])
        guard writer.end - synced >= Self.syncInterval else { return }
        try writer.sync()
        synced = writer.end
    }

    /// Makes a body's frame of what a transport carried.
    package static func frame(_ stored: [UInt8], isCompressed: Bool, logicalSize: Int) -> Frame {
        var header = FrameHeader(.baseline)
        header.isCompressed = isCompressed
        header.logicalLength = UInt32(clamping: logicalSize)
        header.storedLength = UInt32(clamping: stored.count)
        header.bodyChecksum = Checksum.xxh3(stored.span)
        return Frame(header: header, stored: stored[...])
    }

    /// Checks the whole baseline and joins it to the log, in one commit; durable on return.
    ///
    /// Transactions of the log that it does not cover stay. Where the log has all that it covers, nothing is done.
    ///
    /// - Returns: whether it was joined.
    /// - Throws: `gap` when bodies are missing; `invalidTransaction` when it breaks the format, or its clock is too far ahead;
    ///   `forked` when an origin parts from the log below what the baseline tells of it; `storage`, and `outcomeUnknown` when the disk
    ///   failed over the commit.
    package mutating func finish() throws(LogError) -> Bool {
        try verify()
        guard let verified else { return false }
        return try log.join(verified, from: writer)
    }

    /// Checks the whole baseline; ``finish()`` does so unless it was done, and takes the longer for it.
    ///
    /// - Returns: the blobs that it names and does not hold itself; none when it was called before.
    /// - Throws: as ``finish()``.
    @discardableResult
    package mutating func verify() throws(LogError) -> [BlobReference] {
        guard verified == nil else { return [] }
        guard next == nil else {
            throw LogError(.gap, "\(writer.bodies.count) of \(digests.count) bodies of the baseline are here")
        }
        try writer.seal()
        let file = try writer.sealed()
        let blobs = try check(file)
        verified = file
        return blobs
    }

    /// Leaves what is here for the next time.
    package func pause() {
        try? writer.sync()
        writer.close()
    }

    /// Forgets what is here.
    package func discard() { writer.discard() }

    /// Reads everything once, so that nothing of it can be found wrong later.
    private func check(_ file: BaselineFile) throws(LogError) -> [BlobReference] {
        for entry in try file.frame().floor {
            let isSound =
                entry.sequence > 0 && entry.sequence < TransactionFormat.numberLimit
                && UInt64(entry.chains.count) <= entry.sequence + 1 && entry.chains.last ?? entry.chain == entry.chain
            guard isSound else {
                writer.discard()
                throw LogError(.invalidTransaction, "the floor of the baseline \(identity) contradicts itself at \(entry.name)")
            }
        }
        var last: ObjectID?
        var blobs: [BlobReference] = []
        for number in file.bodies.indices {
            do throws(LogError) {
                var reader = try file.reader(number)
                try LogError.damage(in: file.path) { () throws(StorageError) in
                    while let object = try reader.next() {
                        guard last.map({ $0 <= object.id }) ?? true else { throw .malformed("objects that do not ascend") }
                        last = object.id
                        for case .blob(let blob) in object.registers.map(\.value) where blob.inline == nil {
                            blobs.append(blob)
                        }
                    }
                }
            } catch {
                guard error.code == .corrupt else { throw error }
                writer.discard()
                throw LogError(.invalidTransaction, "the baseline \(identity) breaks the format: \(error.message)")
            }
        }
        return blobs
    }
}
