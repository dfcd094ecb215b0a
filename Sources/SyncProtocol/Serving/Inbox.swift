// Invariants
// * What `take` took is durable once the log was flushed; `settle` says so to the session.
// * A transaction of several parts is collected in a file of its own; the writers' lock is not kept for it.

package import EventLog
import Storage

/// Puts what comes from one peer into a log.
package struct Inbox {
    private let log: EventLog
    private let blobs: BlobStore
    private let policy: BlobPolicy
    private var parts = PartIntake()
    private var baselines: BaselineIntake
    private var decoder = TransactionDecoder()
    private var taken = StoredFrames()
    private var ends: [ReplicaID: BranchPosition] = [:]
    /// The bytes of the piece that made a baseline whole.
    private var lastPiece: Int?
    /// Blobs that are named and not here.
    private var lacking: [BlobReference] = []

    package init(_ log: EventLog, _ blobs: BlobStore, policy: BlobPolicy) {
        self.log = log
        self.blobs = blobs
        self.policy = policy
        baselines = BaselineIntake(log)
    }

    /// Finds out how much of a baseline that the peer offers is here, and takes pieces of it.
    ///
    /// The writers' lock is not needed for that; once ``isBaselineWhole``, it is for ``joinBaseline()``.
    ///
    /// - Returns: what the session is to be told.
    package mutating func prepare(_ offer: BaselineOffer) throws(LogError) -> SessionInput? {
        let readiness = try baselines.prepare(offer)
        return baselines.isWhole ? nil : .baselinePrepared(readiness)
    }

    package mutating func take(_ piece: BaselinePiece, bulk: Int) throws(LogError) -> SessionInput? {
        try baselines.take(piece)
        guard baselines.isWhole else { return .baselineStored(bulk: bulk, isJoined: false) }
        lastPiece = bulk
        return nil
    }

    package var isBaselineWhole: Bool { baselines.isWhole }

    /// Makes a baseline that is here whole part of the log, durably; what the session is to be told.
    ///
    /// - Throws: as ``BaselineReceiver/finish()``.
    package mutating func joinBaseline() throws(LogError) -> SessionInput {
        for reference in baselines.blobs where policy == .eager {
            if try !blobs.contains(reference.id) { lacking.append(reference) }
        }
        try baselines.join()
        defer { lastPiece = nil }
        return lastPiece.map { .baselineStored(bulk: $0, isJoined: true) } ?? .baselinePrepared(.taken)
    }

    /// Takes a frame; it waits in the log to be made durable.
    ///
    /// - Throws: as ``EventLog/receive(_:as:)``; what was taken before is not affected.
    package mutating func take(_ packed: PackedFrame, isPart: Bool, bulk: Int) throws(LogError) {
        if isPart {
            try take(part: packed)
        } else {
            let frame = packed.frame(.batch)
            let batch = try LogError.damage(in: "a received batch") { () throws(StorageError) in try Batch(try frame.body()) }
            count(try log.receive(batch, as: frame))
            for (index, part) in batch.transactions.enumerated() {
                try note(part, of: batch.origin, batch.firstSequence + UInt64(index))
            }
            ends[batch.origin] = BranchPosition(sequence: batch.lastSequence, chain: batch.chain)
        }
        taken.frames += 1
        taken.bulk += bulk
    }

    private mutating func take(part packed: PackedFrame) throws(LogError) {
        let body = try LogError.damage(in: "a received part") { () throws(StorageError) in
            try PartBody(try packed.frame(.part).body())
        }
        let received = try parts.take(body, into: log)
        try note(body.part, of: body.origin, body.sequence)
        guard let received else { return }
        count(received)
        ends[body.origin] = BranchPosition(sequence: body.sequence, chain: body.chain)
    }

    private mutating func count(_ received: ReceivedTransactions) { taken.received = taken.received + received }

    /// Notes the blobs that a part names and that are not here.
    private mutating func note(_ part: PartBytes, of origin: ReplicaID, _ sequence: UInt64) throws(LogError) {
        // What this version cannot read it passes on; whoever can read it asks for the blobs.
        guard policy == .eager, let references = try? decoder.blobs(of: part, origin: origin, sequence: sequence) else {
            return
        }
        for reference in references where reference.inline == nil {
            guard try blobs.isLacking(reference.id) else { continue }
            lacking.append(reference)
            taken.lackBlobs = true
        }
    }

    /// Makes what was taken durable.
    func flush() throws(LogError) { try log.flush() }

    /// What became of everything that was taken since the last time, all durable by now; and the blobs that it lacks.
    package mutating func settle() -> (stored: StoredFrames, lacking: [BlobReference]) {
        taken.tips = ends.map { Tip(origin: $0.key, position: $0.value) }.sorted { $0.origin < $1.origin }
        defer {
            taken = StoredFrames()
            ends = [:]
            lacking = []
        }
        return (taken, lacking)
    }

    /// Gives up a transaction that did not come whole; of a baseline, what has come stays for the next time.
    package mutating func discard() {
        parts.discard(in: log)
        baselines.pause()
    }
}
