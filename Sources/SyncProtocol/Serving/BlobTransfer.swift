import EventLog

// Invariant: the chunks of assignments do not overlap.

/// A blob on its way here, and who brings which part of it.
struct BlobTransfer {
    private struct Assignment {
        var connection: Int
        var chunks: Range<Int>
    }

    let blob: ArrivingBlob
    private var assignments: [Assignment] = []

    init(blob: ArrivingBlob) { self.blob = blob }

    var isIdle: Bool { assignments.isEmpty }

    /// Has a connection bring the next chunks, if there are any that it may bring.
    mutating func assign(to connection: Int, _ limit: Int) -> BlobRange? {
        let withHashes = !blob.hasHashes
        if withHashes, !assignments.isEmpty { return nil }
        guard let chunks = nextRange(limit) else { return nil }
        assignments.append(Assignment(connection: connection, chunks: chunks))
        return BlobRange(
            id: blob.reference.id, length: blob.reference.length,
            chunks: UInt64(chunks.lowerBound)..<UInt64(chunks.upperBound), wantsHashes: withHashes)
    }

    /// The next chunks that are neither here nor assigned.
    private func nextRange(_ limit: Int) -> Range<Int>? {
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
    mutating func came(_ index: Int, from connection: Int) {
        guard let place = assignments.firstIndex(where: { $0.connection == connection && $0.chunks.contains(index) }) else {
            return
        }
        assignments[place].chunks = index + 1..<assignments[place].chunks.upperBound
        if assignments[place].chunks.isEmpty { assignments.remove(at: place) }
    }

    /// Takes back what a connection was to bring; whether there was anything.
    mutating func release(_ connection: Int) -> Bool {
        let before = assignments.count
        assignments.removeAll { $0.connection == connection }
        return assignments.count < before
    }
}
