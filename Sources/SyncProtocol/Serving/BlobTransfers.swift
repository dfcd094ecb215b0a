// Invariants
// * `order` holds every blob that is wanted without having been asked for at least once at or behind the cursor of each connection
//   that may still be asked for it; `urgent` those that were asked for, the most urgent first.
// * A range of chunks is assigned to one connection at a time, and only one fetches the hashes of a blob.
// * At most `mostOpen` files are open: a transfer that nobody brings is closed. At most `mostWanted` blobs are remembered.
// * Files are read and written, and who asked is told, outside of the mutex.

package import EventLog
import Storage
import Synchronization

/// The blobs that a store fetches, from all its peers at once: what one brings need not come from another.
package final class BlobTransfers: Sendable {
    struct State {
        var wanted: [BlobID: BlobWish] = [:]
        /// More blobs are lacking than were noted.
        var hasOverflown = false
        var transfers: [BlobID: BlobTransfer] = [:]
        /// Connections whose peers do not have a blob.
        var lacking: [BlobID: Set<Int>] = [:]
        var order: [BlobID] = []
        var urgent: [BlobID] = []
        var cursors: [Int: Int] = [:]
        var connections: [Int: Connection] = [:]
        var demands: [Int: BlobDemand] = [:]
        var nextNumber = 1
        var questions: [UInt32: BlobQuestion] = [:]
        /// What peers said they have or have lost, and is not in the file yet.
        var news: [ReplicaID: (here: Set<BlobID>, gone: Set<BlobID>)] = [:]
    }

    struct Connection {
        let policy: BlobPolicy
        var peer: ReplicaID?
    }

    /// Chunks that are asked of a peer at once.
    private static let rangeSize = 8
    /// Hashes that are computed before others have their turn.
    static let hashesAtOnce: UInt64 = 16
    private static let mostOpen = 64
    package static let mostWanted = 1 << 16

    package let store: BlobStore
    let state = Mutex(State())
    /// Hears of blobs of which more is here than before, or that came whole.
    let onChange: @Sendable (BlobTransfers, BlobReference) -> Void

    package init(_ store: BlobStore, onChange: @escaping @Sendable (BlobTransfers, BlobReference) -> Void = { _, _ in }) {
        self.store = store
        self.onChange = onChange
    }

    /// Wants blobs, from whoever has them and is asked for all.
    package func want(_ blobs: [BlobReference]) {
        guard !blobs.isEmpty else { return }
        state.withLock { state in
            for blob in blobs where blob.length > 0 && blob.length <= BlobFormat.maximumFetched {
                if state.wanted[blob.id]?.isEager ?? false { continue }
                guard state.wanted.count < Self.mostWanted else {
                    state.hasOverflown = true
                    return
                }
                state.wanted[blob.id, default: BlobWish(reference: blob)].isEager = true
                state.append(blob.id)
            }
        }
    }

    /// Blobs that are wanted and not here.
    package var wantedCount: Int { state.withLock { $0.wanted.count } }

    /// Whether more are lacking than were noted, and there is room to look again; says so once.
    package func takeOverflow() -> Bool {
        state.withLock { state in
            guard state.hasOverflown, state.wanted.count < Self.mostWanted / 2 else { return false }
            state.hasOverflown = false
            return true
        }
    }

    /// The view of a session with one peer.
    package func exchange(with connection: Int, _ policy: BlobPolicy = .eager) -> any BlobExchange {
        state.withLock { $0.connections[connection] = Connection(policy: policy) }
        return Exchange(transfers: self, connection: connection)
    }

    private struct Exchange: BlobExchange {
        let transfers: BlobTransfers
        let connection: Int

        func meet(_ peer: ReplicaID) { transfers.meet(peer, on: connection) }
        func want(_ blobs: [BlobReference]) { transfers.want(blobs) }
        func choose(_ count: Int) throws -> [BlobRange] { try transfers.choose(count, for: connection) }
        func read(_ range: BlobRange) throws -> (messages: [Message], rest: BlobRange?) { try transfers.read(range) }
        func store(_ message: Message) throws -> [BlobID] { try transfers.take(message, from: connection) }
        func miss(_ id: BlobID) { transfers.miss(id, at: connection) }
        func keep(_ blobs: [BlobReference]) throws -> [BlobID] { try transfers.keep(blobs, for: connection) }
        func note(_ news: BlobNews) { transfers.note(news, of: connection) }
        func end() { transfers.end(connection) }
    }
}

// What is fetched.
extension BlobTransfers {
    private func choose(_ count: Int, for connection: Int) throws -> [BlobRange] {
        let (policy, urgent) = state.withLock { state -> (BlobPolicy, [BlobReference]) in
            guard let known = state.connections[connection], known.policy != .none else { return (.none, []) }
            return (known.policy, state.urgent.compactMap { state.wanted[$0]?.reference })
        }
        var ranges: [BlobRange] = []
        for reference in urgent where ranges.count < count && !isFull(for: reference) {
            ranges += try offer(reference, to: connection, count - ranges.count)
        }
        guard policy == .eager else { return ranges }
        while ranges.count < count {
            guard let reference = nextCandidate(connection) else { break }
            if isFull(for: reference) {
                // It is looked at again once there is room.
                state.withLock { $0.cursors[connection, default: 1] -= 1 }
                break
            }
            let found = try offer(reference, to: connection, count - ranges.count)
            ranges += found
            // There may be more of it.
            if ranges.count == count, !found.isEmpty { state.withLock { $0.cursors[connection, default: 1] -= 1 } }
        }
        return ranges
    }

    /// Ranges of one blob that a connection may bring, at most as many.
    private func offer(_ reference: BlobReference, to connection: Int, _ count: Int) throws -> [BlobRange] {
        // It may have come by another way.
        if try store.contains(reference.id) {
            drop(reference.id)
            return []
        }
        let lacksIt = state.withLock { $0.lacking[reference.id]?.contains(connection) ?? false }
        guard !lacksIt, try open(reference) else { return [] }
        var ranges: [BlobRange] = []
        while ranges.count < count {
            guard let range = assign(reference.id, to: connection) else { break }
            ranges.append(range)
        }
        return ranges
    }

    /// Whether there is no room for one more file.
    private func isFull(for reference: BlobReference) -> Bool {
        state.withLock { $0.transfers.count >= Self.mostOpen && $0.transfers[reference.id] == nil }
    }

    /// The next blob that a connection has not been asked for.
    private func nextCandidate(_ connection: Int) -> BlobReference? {
        state.withLock { state -> BlobReference? in
            var cursor = state.cursors[connection] ?? 0
            var found: BlobWish?
            while found == nil, cursor < state.order.count {
                found = state.wanted[state.order[cursor]]
                if found?.isEager == false { found = nil }
                cursor += 1
            }
            state.cursors[connection] = cursor
            return found?.reference
        }
    }

    /// Whether a blob is being fetched by this process, from now on or already.
    private func open(_ reference: BlobReference) throws -> Bool {
        if state.withLock({ $0.transfers[reference.id] != nil }) { return true }
        // Should another process fetch it, it will be here when it is asked for the next time.
        guard let blob = try store.arriving(reference) else {
            if state.withLock({ $0.wanted[reference.id]?.isDemanded == false }) { drop(reference.id) }
            return false
        }
        let isFirst = state.withLock { state -> Bool in
            guard state.transfers[reference.id] == nil, state.wanted[reference.id] != nil else { return false }
            state.transfers[reference.id] = BlobTransfer(blob: blob)
            return true
        }
        if !isFirst { blob.close() }
        return isFirst || state.withLock { $0.transfers[reference.id] != nil }
    }

    private func assign(_ id: BlobID, to connection: Int) -> BlobRange? {
        state.withLock { state in state.transfers[id]?.assign(to: connection, Self.rangeSize) ?? nil }
    }

    private func take(_ message: Message, from connection: Int) throws -> [BlobID] {
        do {
            return try add(message, from: connection)
        } catch {
            guard (error as? LogError)?.code == .blobDamaged else { throw error }
            // What the peer has is damaged; others may have it whole.
            if let id = message.blob { miss(id, at: connection) }
            return []
        }
    }

    private func add(_ message: Message, from connection: Int) throws -> [BlobID] {
        guard let id = message.blob, let blob = state.withLock({ $0.transfers[id]?.blob }) else { return [] }
        if case .blobHashes(_, let first, let hashes) = message {
            try blob.add(hashes: hashes, from: Int(first))
            // The rest may come from others now.
            if blob.hasHashes { state.withLock { $0.append(id) } }
        }
        guard case .blobChunk(_, let index, let bytes) = message else { return [] }
        let isWhole = try blob.add(chunk: bytes, at: Int(index))
        state.withLock { state in
            state.transfers[id]?.came(Int(index), from: connection)
            if let peer = state.connections[connection]?.peer { state.note(.here([id]), of: peer) }
        }
        guard isWhole else {
            tellProgress(of: id, blob)
            onChange(self, blob.reference)
            return []
        }
        try blob.finish()
        drop(id)
        onChange(self, blob.reference)
        return [id]
    }

    private func miss(_ id: BlobID, at connection: Int) {
        let idle = state.withLock { state -> ArrivingBlob? in
            if state.wanted[id] != nil { state.lacking[id, default: []].insert(connection) }
            if let peer = state.connections[connection]?.peer { state.note(.gone([id]), of: peer) }
            return state.release(id, by: connection)
        }
        if let idle { Self.keep(idle) }
    }

    private func end(_ connection: Int) {
        let (idle, questions) = state.withLock { ($0.end(connection), Array($0.questions.values)) }
        for question in questions { question.lose(connection) }
        for blob in idle { Self.keep(blob) }
        settleNews()
    }

    /// Keeps what came of a blob for another time; at worst it is fetched again.
    private static func keep(_ blob: ArrivingBlob) {
        if blob.hasHashes { try? blob.settle() }
        blob.close()
    }

    /// A blob is here, or is wanted no longer.
    func drop(_ id: BlobID) {
        let (transfer, demands) = state.withLock { state in
            let demands = state.takeDemands(of: id)
            return (state.forget(id), demands)
        }
        transfer?.blob.close()
        for demand in demands { demand.onEnd(nil) }
    }

    /// Gives up a blob that nobody wants any more.
    func giveUp(_ id: BlobID) {
        let transfer = state.withLock { state -> BlobTransfer? in
            guard state.wanted[id]?.isDemanded == false, state.wanted[id]?.isEager == false else { return nil }
            return state.forget(id)
        }
        if let transfer { Self.keep(transfer.blob) }
    }
}

extension Message {
    fileprivate var blob: BlobID? {
        switch self {
        case .blobHashes(let id, _, _), .blobChunk(let id, _, _): id
        default: nil
        }
    }
}
