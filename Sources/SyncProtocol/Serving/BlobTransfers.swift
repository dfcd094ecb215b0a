// Invariants
// * `order` holds every blob that is wanted at least once at or behind the cursor of each connection that may still be asked for it.
// * A range of chunks is assigned to one connection at a time, and only one fetches the hashes of a blob.
// * Files are read and written outside of the mutex.

package import EventLog
import Storage
import Synchronization

/// The blobs that a store fetches, from all its peers at once: what one brings need not come from another.
package final class BlobTransfers: Sendable {
    fileprivate struct Assignment {
        var connection: Int
        var chunks: Range<Int>
    }

    fileprivate struct Transfer {
        var blob: ArrivingBlob
        var assignments: [Assignment] = []
        /// Connections whose peers do not have it.
        var lacking: Set<Int> = []
    }

    fileprivate struct State {
        var wanted: [BlobID: BlobReference] = [:]
        var transfers: [BlobID: Transfer] = [:]
        var order: [BlobID] = []
        var cursors: [Int: Int] = [:]
    }

    /// Chunks that are asked of a peer at once.
    private static let rangeSize = 8
    /// Hashes that are computed before others have their turn.
    private static let hashesAtOnce: UInt64 = 16

    private let store: BlobStore
    private let state = Mutex(State())

    package init(_ store: BlobStore) { self.store = store }

    /// Wants blobs, from whoever has them.
    package func want(_ blobs: [BlobReference]) {
        guard !blobs.isEmpty else { return }
        state.withLock { state in
            for blob in blobs where blob.length > 0 && state.wanted[blob.id] == nil {
                state.wanted[blob.id] = blob
                state.order.append(blob.id)
            }
        }
    }

    /// Blobs that are wanted and not here.
    package var wantedCount: Int { state.withLock { $0.wanted.count } }

    /// The view of a session with one peer.
    package func exchange(with connection: Int) -> any BlobExchange { Exchange(transfers: self, connection: connection) }

    private struct Exchange: BlobExchange {
        let transfers: BlobTransfers
        let connection: Int

        func want(_ blobs: [BlobReference]) { transfers.want(blobs) }
        func choose(_ count: Int) throws -> [BlobRange] { try transfers.choose(count, for: connection) }
        func read(_ range: BlobRange) throws -> (messages: [Message], rest: BlobRange?) { try transfers.read(range) }
        func store(_ message: Message) throws -> [BlobID] { try transfers.take(message, from: connection) }
        func miss(_ id: BlobID) { transfers.miss(id, at: connection) }
        func end() { transfers.end(connection) }
    }
}

// What is fetched.
extension BlobTransfers {
    private func choose(_ count: Int, for connection: Int) throws -> [BlobRange] {
        var ranges: [BlobRange] = []
        while ranges.count < count {
            guard let reference = nextCandidate(connection) else { break }
            ranges += try offer(reference, to: connection, count - ranges.count)
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
        try open(reference)
        var ranges: [BlobRange] = []
        while ranges.count < count {
            guard let range = assign(reference.id, to: connection) else { return ranges }
            ranges.append(range)
        }
        // There may be more of it.
        state.withLock { $0.cursors[connection, default: 1] -= 1 }
        return ranges
    }

    /// The next blob that a connection has not been asked for.
    private func nextCandidate(_ connection: Int) -> BlobReference? {
        state.withLock { state -> BlobReference? in
            var cursor = state.cursors[connection] ?? 0
            var found: BlobReference?
            while found == nil, cursor < state.order.count {
                found = state.wanted[state.order[cursor]]
                cursor += 1
            }
            state.cursors[connection] = cursor
            return found
        }
    }

    private func open(_ reference: BlobReference) throws {
        if state.withLock({ $0.transfers[reference.id] != nil }) { return }
        // Should another process fetch it, it will be here when it is asked for the next time.
        guard let blob = try store.arriving(reference) else { return drop(reference.id) }
        let isFirst = state.withLock { state -> Bool in
            guard state.transfers[reference.id] == nil else { return false }
            state.transfers[reference.id] = Transfer(blob: blob)
            return true
        }
        if !isFirst { blob.close() }
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
        guard let id = message.blob, let blob = arriving(id) else { return [] }
        if case .blobHashes(_, let first, let hashes) = message {
            try blob.add(hashes: hashes, from: Int(first))
            // The rest may come from others now.
            if blob.hasHashes { state.withLock { $0.order.append(id) } }
        }
        guard case .blobChunk(_, let index, let bytes) = message else { return [] }
        let isWhole = try blob.add(chunk: bytes, at: Int(index))
        state.withLock { $0.transfers[id]?.came(Int(index), from: connection) }
        guard isWhole else { return [] }
        try blob.finish()
        drop(id)
        return [id]
    }

    private func arriving(_ id: BlobID) -> ArrivingBlob? { state.withLock { $0.transfers[id]?.blob } }

    private func miss(_ id: BlobID, at connection: Int) {
        state.withLock { state in
            state.transfers[id]?.lacking.insert(connection)
            state.release(id, by: connection)
        }
    }

    private func end(_ connection: Int) {
        // Nobody brings anything: what is here is kept for another time.
        let idle = state.withLock { $0.end(connection) }
        for blob in idle {
            // At worst what came is fetched again.
            if blob.hasHashes { try? blob.settle() }
            blob.close()
        }
    }

    private func drop(_ id: BlobID) {
        let transfer = state.withLock { $0.forget(id) }
        transfer?.blob.close()
    }
}

// What peers ask for.
extension BlobTransfers {
    private func read(_ range: BlobRange) throws -> (messages: [Message], rest: BlobRange?) {
        guard let reader = try store.openIfPresent(range.id) else { return ([.blobMissing(range.id)], nil) }
        defer { reader.close() }
        guard reader.length == range.length else { return ([.blobMissing(range.id)], nil) }
        var rest = range
        if range.wantsHashes {
            let first = range.hashed
            let last = min(range.chunkCount, first + Self.hashesAtOnce)
            var hashes: [UInt8] = []
            for index in first..<last {
                let bytes = try chunk(index, of: range, reader)
                hashes += SHA256.hash(bytes.span)
            }
            rest.hashed = last
            if last == range.chunkCount { rest.wantsHashes = false }
            return ([.blobHashes(range.id, first: first, hashes[...])], rest)
        }
        let index = range.chunks.lowerBound
        let bytes = try chunk(index, of: range, reader)
        rest.chunks = index + 1..<range.chunks.upperBound
        return ([.blobChunk(range.id, index: index, bytes[...])], rest.chunks.isEmpty ? nil : rest)
    }

    private func chunk(_ index: UInt64, of range: BlobRange, _ reader: BlobReader) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.size(of: index))
        var span = bytes.mutableSpan
        let count = try reader.read(into: &span, at: index * UInt64(BlobFormat.chunkSize))
        guard count == bytes.count else { throw store.missing(range.id) }
        return bytes
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

extension BlobTransfers.Transfer {
    /// Has a connection bring the next chunks, if there are any that it may bring.
    fileprivate mutating func assign(to connection: Int, _ limit: Int) -> BlobRange? {
        if lacking.contains(connection) { return nil }
        let withHashes = !blob.hasHashes
        if withHashes, !assignments.isEmpty { return nil }
        guard let chunks = nextRange(limit) else { return nil }
        assignments.append(BlobTransfers.Assignment(connection: connection, chunks: chunks))
        return BlobRange(
            id: blob.reference.id, length: blob.reference.length,
            chunks: UInt64(chunks.lowerBound)..<UInt64(chunks.upperBound), wantsHashes: withHashes)
    }

    /// The next chunks that are neither here nor assigned.
    fileprivate func nextRange(_ limit: Int) -> Range<Int>? {
        var start = 0
        while start < blob.chunkCount {
            var range = blob.missing(from: start)
            if range.isEmpty { return nil }
            range = range.lowerBound..<min(range.upperBound, range.lowerBound + limit)
            guard let taken = assignments.first(where: { $0.chunks.overlaps(range) }) else { return range }
            if taken.chunks.lowerBound > range.lowerBound { return range.lowerBound..<taken.chunks.lowerBound }
            start = taken.chunks.upperBound
        }
        return nil
    }

    /// A chunk is here.
    fileprivate mutating func came(_ index: Int, from connection: Int) {
        guard let place = assignments.firstIndex(where: { $0.connection == connection && $0.chunks.contains(index) }) else {
            return
        }
        assignments[place].chunks = index + 1..<assignments[place].chunks.upperBound
        if assignments[place].chunks.isEmpty { assignments.remove(at: place) }
    }
}

extension BlobTransfers.State {
    /// Wants a blob no longer.
    fileprivate mutating func forget(_ id: BlobID) -> BlobTransfers.Transfer? {
        wanted[id] = nil
        let transfer = transfers.removeValue(forKey: id)
        if wanted.isEmpty {
            order = []
            for connection in cursors.keys.sorted() { cursors[connection] = 0 }
        }
        return transfer
    }

    /// A connection is over: what nobody brings any more.
    fileprivate mutating func end(_ connection: Int) -> [ArrivingBlob] {
        cursors[connection] = nil
        let ids = transfers.keys.sorted()
        for id in ids {
            transfers[id]?.lacking.remove(connection)
            release(id, by: connection)
        }
        if !cursors.isEmpty { return [] }
        var idle: [ArrivingBlob] = []
        for id in ids { if let transfer = transfers[id] { idle.append(transfer.blob) } }
        transfers = [:]
        order = wanted.keys.sorted()
        return idle
    }

    /// Takes back what a connection was to bring, so that others are asked for it.
    fileprivate mutating func release(_ id: BlobID, by connection: Int) {
        guard var transfer = transfers[id], transfer.assignments.contains(where: { $0.connection == connection }) else {
            return
        }
        transfer.assignments.removeAll { $0.connection == connection }
        transfers[id] = transfer
        order.append(id)
    }
}
