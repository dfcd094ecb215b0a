package import EventLog
import Projection
import Storage

// Invariants
// * All chance comes from the seed: the same seed gives the same transactions.
// * A replica writes only what it sees, through the same planning that a store uses.
// * `parts[i]` are the bytes of `transactions[i]`, whose chain is that of the bytes: a log takes them.

/// Up to six replicas that write, sync in part, are cloned, and disagree about the time.
package struct RandomHistory: Sendable {
    package let seed: UInt64
    package let dataset: DatasetID
    /// As they were written, in the order of writing.
    package private(set) var transactions: [Transaction] = []
    private var parts: [PartBytes] = []
    package private(set) var replicas: [HistoryReplica] = []
    /// How often each kind of thing happened.
    package private(set) var met: [String: Int] = [:]
    var random: SplitMix64
    private let mostReplicas: Int
    private var graves: [ObjectID: Grave] = [:]
    private var milliseconds: UInt64 = 1_000

    private struct Grave {
        var entity: String
        var seen: [PropertyValue]
        var edges: [(property: Property, target: ObjectID)]
    }

    /// - Parameters:
    ///   - steps: writes, deliveries and accidents.
    ///   - replicas: how many there may be, at least 2; clones among them.
    package init(
        seed: UInt64, steps: Int = 40, replicas most: Int = 6, dataset: DatasetID = DatasetID(Digest128(high: 0, low: 1))
    ) throws {
        self.seed = seed
        self.dataset = dataset
        mostReplicas = most
        random = SplitMix64(seed: seed)
        for _ in 0..<Int.random(in: 2...min(4, most), using: &random) {
            replicas.append(HistoryReplica(id: newID(), skew: Int64.random(in: -3...3, using: &random)))
        }
        let version = UInt32.random(in: 1...2, using: &random)
        try write(0) { history, writer in
            for declaration in HistoryModel.declarations(version: version) { writer.apply(.schema(declaration)) }
            for _ in 0..<4 { history.insert(&writer) }
        }
        for _ in 0..<steps { try step() }
    }

    /// A transaction as a peer would send it.
    package func batch(_ index: Int) -> Batch {
        let header = transactions[index].header
        return Batch(
            origin: header.origin, firstSequence: header.sequence, previousChain: header.previousChain,
            transactions: [parts[index]])
    }

    /// Gives every replica everything.
    package mutating func syncAll() {
        for index in replicas.indices { replicas[index].receive(Array(transactions.indices), of: transactions) }
    }

    private mutating func step() throws {
        if random.next() % 3 == 0 { milliseconds += 1 }
        let replica = Int.random(in: replicas.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3 where replicas.count < mostReplicas:
            replicas.append(replicas[replica])
            count("clones")
        case 3..<45: deliver(to: replica)
        case 45..<48:
            try write(replica) { history, writer in
                let version = UInt32.random(in: 1...2, using: &history.random)
                let all = HistoryModel.declarations(version: version)
                writer.apply(.schema(all[Int.random(in: all.indices, using: &history.random)]))
            }
        default:
            try write(replica) { history, writer in
                for _ in 0..<Int.random(in: 1...3, using: &history.random) { history.change(&writer) }
            }
        }
    }

    /// A prefix of what one replica has of one origin goes to another.
    private mutating func deliver(to replica: Int) {
        let source = replicas[Int.random(in: replicas.indices, using: &random)]
        let missing = source.known.filter { !replicas[replica].knows($0) }
        guard let some = missing.randomElement(using: &random) else { return }
        let origin = transactions[some].header.origin
        let ofOrigin = missing.filter { transactions[$0].header.origin == origin }
        replicas[replica].receive(
            Array(ofOrigin.prefix(Int.random(in: 1...ofOrigin.count, using: &random))), of: transactions)
    }

    private mutating func write(_ index: Int, _ body: (inout RandomHistory, inout HistoryWriter) -> Void) throws {
        let former = replicas[index].renameIfNeeded(to: newID())
        let replica = replicas[index]
        let timestamp = replica.timestamp(at: milliseconds)
        // The state is moved, not copied, into the writer.
        var writer = HistoryWriter(
            state: replica.state, stamp: Stamp(timestamp: timestamp, replica: replica.id), sequence: replica.nextSequence)
        replicas[index].state = FoldState()
        writer.state.begin()
        if let former {
            writer.apply(.rename(former: former))
            count("renames")
        }
        body(&self, &writer)
        let fails = writer.hasFailed && random.chance(oneIn: 2)
        if fails { writer.state.rollback() } else { writer.state.commit() }
        replicas[index].state = writer.state
        let (transaction, part) = try replicas[index].transaction(
            fails ? [] : writer.changes, timestamp: timestamp, author: "replica \(index)", isVoid: fails, in: dataset)
        if fails { count("voids") }
        replicas[index].state.advance(to: transaction.header)
        bury(transaction.changes)
        transactions.append(transaction)
        parts.append(part)
        replicas[index].wrote(transactions.count - 1, transaction.header)
    }

    private mutating func bury(_ changes: [Change]) {
        var edges: [ObjectID: [(Property, ObjectID)]] = [:]
        for change in changes {
            switch change {
            case .edge(let owner, _, let property, let target, _, let length) where length.isMultiple(of: 2):
                edges[owner, default: []].append((property, target))
            case .delete(let object, let entity, _, let seen):
                graves[object] = Grave(entity: entity, seen: seen, edges: edges[object] ?? [])
                count("deletes")
            default: break
            }
        }
    }

    private mutating func newID() -> ReplicaID {
        ReplicaID(Digest128(high: random.next(), low: random.next()))
    }

    package mutating func count(_ what: String) { met[what, default: 0] += 1 }
}

extension RandomHistory {
    /// One random intent, carried out as the writer sees the world.
    ///
    /// A refusal marks the writer as failed.
    private mutating func change(_ writer: inout HistoryWriter) {
        let kind = Int.random(in: 0..<100, using: &random)
        if kind < 25 { return insert(&writer) }
        guard let id = anyObject(in: writer.state) else { return insert(&writer) }
        let entity = writer.state.objects[id]?.entity?.text ?? ""
        do {
            switch kind {
            case 25..<55: try writer.apply(writer.state.planUpdate(id, row(entity, writer.state, complete: false)))
            case 55..<62:
                count("increments")
                let amount = Int64.random(in: -3...9, using: &random)
                try writer.apply(writer.state.planIncrement(id, HistoryModel.score, by: amount))
            case 62..<72: try connect(&writer)
            case 72..<84: try writer.apply(writer.state.planDelete([id]))
            case 84..<92: try restore(&writer)
            case 92..<97: try upsert(&writer)
            default: undo(&writer)
            }
        } catch {
            count("refusals: \(error.code)")
            writer.hasFailed = true
        }
    }

    fileprivate mutating func insert(_ writer: inout HistoryWriter) {
        let entity = HistoryModel.entities.randomElement(using: &random) ?? ""
        let values = row(entity, writer.state, complete: !random.chance(oneIn: 3))
        writer.apply(.insert(object: writer.mint(), entity: entity, values: values))
        count("inserts")
    }

    private mutating func upsert(_ writer: inout HistoryWriter) throws(ProjectionError) {
        let values = row("Tag", writer.state, complete: true)
        let policies: [MergePolicy] = [.keepStored, .overwrite, .fail]
        let policy = policies[Int.random(in: 0..<3, using: &random)]
        let id = writer.nextObject
        let result = try writer.state.planUpsert(WireName("Tag"), values, as: id, policy: policy)
        if result.object == id { _ = writer.mint() } else { count("upserts of stored objects") }
        writer.apply(result.changes)
    }

    private mutating func connect(_ writer: inout HistoryWriter) throws(ProjectionError) {
        guard let post = anyObject(of: "Post", in: writer.state), let tag = anyObject(of: "Tag", in: writer.state) else {
            return
        }
        if random.chance(oneIn: 3) {
            let changes = try writer.state.planRemoveEdge(post, HistoryModel.tags, tag)
            if !changes.isEmpty { count("edges removed") }
            writer.apply(changes)
        } else if random.chance(oneIn: 2) {
            try writer.apply(writer.state.planAddEdge(tag, HistoryModel.posts, post))
        } else {
            try writer.apply(writer.state.planAddEdge(post, HistoryModel.tags, tag))
        }
        count("edge intents")
    }

    private mutating func restore(_ writer: inout HistoryWriter) throws(ProjectionError) {
        let deleted = graves.keys.sorted().filter { id in
            let length = writer.state.length(of: id)
            return length > 0 && length.isMultiple(of: 2)
        }
        guard let id = deleted.randomElement(using: &random), let grave = graves[id] else { return }
        // After a fork the one who deleted may have meant other objects by the same ids than this writer does.
        let isForked = met["clones"] != nil
        let values = isForked ? row(grave.entity, writer.state, complete: true) : grave.seen
        try writer.apply(
            writer.state.planRestore(id, entity: WireName(grave.entity), values, edges: isForked ? [] : grave.edges))
        count("restores")
    }

    /// Takes back one of the writer's own transactions, unless a fork is known, for then ids may have other names.
    private mutating func undo(_ writer: inout HistoryWriter) {
        let own = transactions.filter { $0.header.origin == writer.stamp.replica && $0.header.sequence < writer.sequence }
        guard let transaction = own.randomElement(using: &random), met["clones"] == nil else { return }
        let plan = writer.state.planUndo(transaction)
        if !plan.changes.isEmpty { count("undone") }
        if !plan.leftovers.isEmpty { count("undo leftovers") }
        writer.apply(plan.changes)
    }

    private mutating func row(_ entity: String, _ state: FoldState, complete: Bool) -> [PropertyValue] {
        HistoryModel.values(of: entity).compactMap { property, target in
            guard complete || random.chance(oneIn: 2) else { return nil }
            return PropertyValue(property, value(property.type, target, state))
        }
    }

    private mutating func value(_ type: ValueType, _ target: String?, _ state: FoldState) -> Value {
        let small = Int64.random(in: 0..<3, using: &random)
        switch type {
        case .counter: return .counter(small)
        case .reference:
            guard let target, let id = anyObject(of: target, in: state), !random.chance(oneIn: 6) else { return .null }
            return .reference(id)
        case .int: return random.chance(oneIn: 6) ? .null : .int(small % 2)
        case .data: return .data([UInt8(random.next() % 200)])
        default: return random.chance(oneIn: 12) ? .null : .string(["a", "b", "c"][Int(small)])
        }
    }

    private mutating func anyObject(of entity: String, in state: FoldState) -> ObjectID? {
        state.objects(of: WireName(entity)).randomElement(using: &random)
    }

    private mutating func anyObject(in state: FoldState) -> ObjectID? {
        // Objects that came back are rare, and worth changing.
        let restored = graves.keys.sorted().filter { state.isVisible($0) }
        if random.chance(oneIn: 3), let id = restored.randomElement(using: &random) { return id }
        let entity = HistoryModel.entities.randomElement(using: &random) ?? ""
        return anyObject(of: entity, in: state)
    }
}

extension SplitMix64 {
    /// True once in `n` times.
    package mutating func chance(oneIn n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}
