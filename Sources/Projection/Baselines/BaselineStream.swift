package import EventLog
package import Storage

// Invariants
// * Sources ascend by id, each by itself. Of an object at most one source has a record: what is in memory hides what is in runs, and
//   superseded rows are left out.

/// Gives the objects of a state in the order of a baseline, from its runs and from memory; a block of each run's sections in memory.
package struct BaselineStream {
    private let state: FoldState
    private var memory: [(id: ObjectID, held: HeldRecord)]
    private var taken = 0
    private var cursors: [RunCursor] = []

    /// - Throws: what reading runs throws.
    package init(_ state: FoldState) throws {
        self.state = state
        var found: [(id: ObjectID, held: HeldRecord)] = []
        state.objects.visitInMemory { found.append(($0, $1)) }
        found.sort { $0.id < $1.id }
        memory = found
        guard let base = state.objects.base as? RunSet else { return }
        if let failure = base.failure { throw failure }
        for member in base.members {
            for section in member.run.directory.sections {
                let cursor = try RunCursor(member.run, section, without: member.superseded)
                if cursor.id != nil { cursors.append(cursor) }
            }
        }
    }

    /// The next object that a baseline has to tell of.
    package mutating func next() throws -> Baseline.Object? {
        while let (id, record) = try nextRecord() {
            let object = Baseline.Object(id, record, length: state.length(of: id, record), isCovered: state.covers(id))
            if let object { return object }
        }
        return nil
    }

    private mutating func nextRecord() throws -> (ObjectID, ObjectRecord)? {
        while true {
            let lowest = cursors.indices.min { a, b in
                guard let first = cursors[a].id else { return false }
                return cursors[b].id.map { first < $0 } ?? true
            }
            let stored = lowest.flatMap { cursors[$0].id }
            if taken < memory.count, stored.map({ memory[taken].id <= $0 }) ?? true {
                let next = memory[taken]
                taken += 1
                return (next.id, next.held.record)
            }
            guard let lowest, let id = stored else { return nil }
            if state.objects.isInMemory(id) {
                try cursors[lowest].skip()
                continue
            }
            return (id, try cursors[lowest].next())
        }
    }
}

extension BaselineWriter {
    /// Writes a state whose vector is the floor.
    ///
    /// - Parameter chains: of origins that forked, by name; see ``Baseline/FloorEntry/chains``.
    package static func write(
        _ state: FoldState, chains: [ReplicaID: (start: Timestamp, chains: [Digest128])] = [:],
        to sink: @escaping ([UInt8]) throws -> Void
    ) throws {
        var writer = BaselineWriter(sink: sink)
        let frame = state.frame
        for var entry in frame.floor {
            if let known = chains[entry.name] { (entry.start, entry.chains) = known }
            try writer.add(entry)
        }
        for entry in frame.schema { try writer.add(entry) }
        var stream = try BaselineStream(state)
        while let object = try stream.next() { try writer.add(object) }
        if let failure = state.objects.base?.failure { throw failure }
        try writer.finish()
    }
}
