import EventLog
import Projection
import Simulation
import Storage

/// What every history must satisfy; throws in words what it did not.
struct HistoryCheck {
    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    private(set) var met: [String: Int] = [:]

    mutating func check(seed: UInt64) throws {
        var history = try RandomHistory(seed: seed)
        var random = SplitMix64(seed: seed ^ 0xA5A5)
        for (index, replica) in history.replicas.enumerated() {
            let known = replica.known.map { history.transactions[$0] }
            let folded = ReferenceFold.fold(known.shuffled(using: &random))
            try expect(
                Picture(replica.state), Picture(folded), "replica \(index), seed \(seed): its own state and the fold", known)
            count(readings: folded)
        }
        let resolved = ResolvedHistory(history.transactions)
        let whole = ReferenceFold.fold(resolved)
        let picture = Picture(whole)
        try checkOrders(history, resolved, picture, &random)
        try checkBaselines(history, resolved, picture, &random)
        try checkPart(history, resolved, &random)
        history.syncAll()
        for (index, replica) in history.replicas.enumerated() {
            try expect(
                Picture(replica.state), picture, "replica \(index), seed \(seed): synced and the fold", history.transactions)
        }
        count(history, resolved, whole)
    }

    /// Any order, duplication and batching of delivery.
    private func checkOrders(
        _ history: RandomHistory, _ resolved: ResolvedHistory, _ picture: Picture, _ random: inout SplitMix64
    ) throws {
        let conflicts = resolved.conflicts()
        for round in 0..<2 {
            var delivered = history.transactions
            for transaction in history.transactions where random.chance(oneIn: 3) { delivered.append(transaction) }
            delivered.shuffle(using: &random)
            let again = ResolvedHistory(delivered)
            try expect(Picture(ReferenceFold.fold(again)), picture, "seed \(history.seed), order \(round)", delivered)
            guard again.conflicts() == conflicts else {
                throw Violation(description: "seed \(history.seed): conflicts differ by order")
            }
            var state = FoldState()
            for transaction in interleaved(resolved, after: [:], upTo: nil, &random) { state.apply(transaction) }
            try expect(Picture(state), picture, "seed \(history.seed), interleaving \(round)", delivered)
            try checkRuns(history, interleaved(resolved, after: [:], upTo: nil, &random), picture, &random)
        }
    }

    /// A state that goes to runs now and then, and keeps account of what is irregular, answers as one that does not.
    private func checkRuns(
        _ history: RandomHistory, _ transactions: [Transaction], _ picture: Picture, _ random: inout SplitMix64
    ) throws {
        let directory = ProjectionDirectory("/runs", in: .simulated(seed: random.next()), cacheBytes: 1 << 20)
        guard try directory.tryLock() else { throw Violation(description: "the lock is taken") }
        var state = FoldState.tracking
        let pace = [3, 10, 1_000].randomElement(using: &random) ?? 3
        for transaction in transactions {
            if random.chance(oneIn: 4) {
                state.begin()
                state.apply(transaction)
                if random.chance(oneIn: pace) { state.freeze() }
                state.rollback()
            }
            state.apply(transaction)
            if random.chance(oneIn: pace) { state.freeze() }
            if random.chance(oneIn: pace) {
                state.pruneIrregular()
                state.freeze()
                let runs = try directory.merge(try directory.flush(state), state.schema)
                state.replaceBase(runs, withFrozen: state.objects.frozenCount)
            }
        }
        try expect(Picture(state), picture, "seed \(history.seed): with runs", transactions)
        if let failure = state.objects.base?.failure { throw failure }
    }

    /// A baseline and what it does not cover is the whole, however they are joined.
    private func checkBaselines(
        _ history: RandomHistory, _ resolved: ResolvedHistory, _ picture: Picture, _ random: inout SplitMix64
    ) throws {
        let (first, second) = (part(of: resolved, &random), part(of: resolved, &random))
        let (a, b) = (baseline(of: resolved, first), baseline(of: resolved, second))
        var state = FoldState(a)
        for transaction in interleaved(resolved, after: first, upTo: nil, &random) { state.apply(transaction) }
        try expect(Picture(state), picture, "seed \(history.seed): baseline and tail", history.transactions)

        var late = FoldState()
        for transaction in interleaved(resolved, after: [:], upTo: second, &random) { late.apply(transaction) }
        late.apply(baseline: a)
        let union = first.merging(second, uniquingKeysWith: max)
        let expected = Picture(ReferenceFold.fold(resolved, upTo: union))
        try expect(Picture(late), expected, "seed \(history.seed): a baseline into a state", history.transactions)
        try expect(Picture(FoldState(a.joined(with: b))), expected, "seed \(history.seed): a + b", history.transactions)
        try expect(Picture(FoldState(b.joined(with: a))), expected, "seed \(history.seed): b + a", history.transactions)
        guard a.joined(with: a) == a else { throw Violation(description: "seed \(history.seed): a + a is not a") }

        // Of a forked origin, transactions above the floor may speak of places below it by chains that are no longer there.
        guard !resolved.names.areForked else { return }
        let again = ReferenceFold.fold(history.transactions.shuffled(using: &random), baseline: a)
        try expect(Picture(again), picture, "seed \(history.seed): baseline and all", history.transactions)
    }

    /// Replicas with equal vectors agree, also where something is missing.
    private mutating func checkPart(
        _ history: RandomHistory, _ resolved: ResolvedHistory, _ random: inout SplitMix64
    ) throws {
        let vector = part(of: resolved, &random)
        let folded = ReferenceFold.fold(history.transactions, upTo: vector)
        var state = FoldState.tracking
        for transaction in interleaved(resolved, after: [:], upTo: vector, &random) {
            state.begin()
            state.apply(transaction)
            state.rollback()
            state.apply(transaction)
        }
        try expect(Picture(state), Picture(folded), "seed \(history.seed): a part", history.transactions)
        count(readings: state)
    }

    private func baseline(of resolved: ResolvedHistory, _ vector: [ReplicaID: UInt64]) -> Baseline {
        ReferenceFold.fold(resolved, upTo: vector).baseline()
    }

    /// A random prefix of each origin.
    private func part(of resolved: ResolvedHistory, _ random: inout SplitMix64) -> [ReplicaID: UInt64] {
        var vector: [ReplicaID: UInt64] = [:]
        for (name, transactions) in Dictionary(grouping: resolved.transactions, by: \.header.origin).sorted(by: {
            $0.key < $1.key
        }) {
            let count = Int.random(in: 0...transactions.count, using: &random)
            if count > 0 { vector[name] = transactions[count - 1].header.sequence }
        }
        return vector
    }

    private func interleaved(
        _ resolved: ResolvedHistory, after floor: [ReplicaID: UInt64], upTo vector: [ReplicaID: UInt64]?,
        _ random: inout SplitMix64
    ) -> [Transaction] {
        var queues = Dictionary(grouping: resolved.transactions, by: \.header.origin).sorted { $0.key < $1.key }.map {
            name, all in
            all.filter { transaction in
                let sequence = transaction.header.sequence
                return sequence > floor[name] ?? 0 && (vector.map { sequence <= $0[name] ?? 0 } ?? true)
            }[...]
        }
        var result: [Transaction] = []
        while let index = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(using: &random) {
            result.append(queues[index].removeFirst())
        }
        return result
    }

    private func expect(
        _ found: Picture, _ expected: Picture, _ what: String, _ transactions: [Transaction]
    ) throws {
        guard found != expected else { return }
        throw Violation(
            description: "\(what) differ (digests \(found.stateDigest == expected.stateDigest), content "
                + "\(found.contentDigest == expected.contentDigest), vectors \(found.vector == expected.vector))\n"
                + "found:\n\(found.rows)\nexpected:\n\(expected.rows)")
    }
}

extension HistoryCheck {
    private mutating func count(_ what: String, _ number: Int = 1) { met[what, default: 0] += number }

    private mutating func count(readings state: FoldState) {
        state.objects.visit { id, record in
            let length = state.length(of: id)
            if length == 0, !record.epochs.isEmpty { count("partial rows") }
            if length > 0, !record.isSettled { count("waiting for a restore") }
            if length == 2, !state.covers(id) { count("deletes before inserts") }
            if state.members(of: id).count > 1 { count("key merges") }
            if state.isHidden(id) { count("hidden objects") }
            guard let row = state.row(id) else { return }
            if Set(row.fields.map(\.property.name)).count < row.fields.count { count("names with two types") }
            for field in row.fields {
                switch field.value {
                case .reference(.notHereYet): count("references not here yet")
                case .reference(.dangling): count("dangling references")
                default: break
                }
            }
        }
    }

    private mutating func count(_ history: RandomHistory, _ resolved: ResolvedHistory, _ whole: FoldState) {
        met.merge(history.met, uniquingKeysWith: +)
        count(readings: whole)
        let byTime = Dictionary(grouping: history.transactions, by: \.header.timestamp)
        count("ties", byTime.values.filter { Set($0.map(\.header.origin)).count > 1 }.count)
        let branches = resolved.names.branches
        for branch in branches where branch.parent != nil {
            count("forks")
            if let parent = branch.parent, branches[parent].parent != nil { count("nested forks") }
            let siblings = branches.filter {
                $0.parent == branch.parent && $0.branch.firstSequence == branch.branch.firstSequence
            }
            if siblings.count > 1 { count("three-way forks") }
        }
        for conflict in resolved.conflicts() { count("conflicts: \(conflict.kind)") }
        for transaction in history.transactions
        where transaction.changes.contains(where: { if case .schema = $0 { true } else { false } }) {
            count("schema records")
        }
    }

    /// What a soak must have met.
    static let required = [
        "ties", "forks", "nested forks", "three-way forks", "hidden objects", "key merges", "restores", "partial rows",
        "waiting for a restore", "deletes before inserts", "references not here yet", "dangling references",
        "conflicts: values", "conflicts: writeAgainstDelete", "voids", "renames", "clones", "increments", "edge intents",
        "edges removed", "upserts of stored objects", "undone", "undo leftovers", "names with two types", "schema records",
        "refusals: deniedByReferrers", "refusals: duplicateKey", "deletes", "inserts",
    ]
}
