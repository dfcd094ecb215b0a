package import EventLog
import Storage

// Following writers, and naming what they wrote.
extension NameResolver {
    /// What the writer of a branch had applied of others, by the names that it knew: the last that it said of each.
    struct Past: Sendable {
        var entries: [ReplicaID: ContextEntry] = [:]
        /// The last transaction that was followed.
        var sequence: UInt64
        /// Whether all of it is of origins that never forked.
        var isPlain: Bool
        /// By branch name, what ``entries`` come to and the past of the branch; nil when it is to be found out.
        fileprivate var known: [ReplicaID: UInt64]?

        init(sequence: UInt64 = 0, isPlain: Bool = true) {
            self.sequence = sequence
            self.isPlain = isPlain
        }
    }

    /// Takes note of what the writer of an applied transaction knew, without naming what it wrote.
    package mutating func follow(_ header: TransactionHeader, on number: Int) {
        if pasts[number] == nil { pasts[number] = inherited(by: number) }
        guard header.sequence > pasts[number]?.sequence ?? 0 else { return }
        pasts[number]?.sequence = header.sequence
        guard !header.context.isEmpty else { return }
        pasts[number]?.known = nil
        for entry in header.context {
            pasts[number]?.entries[entry.origin] = entry
            guard !isPlain(entry.origin) else { continue }
            pasts[number]?.isPlain = false
            if place(of: entry.origin, entry.sequence, entry.chain) == nil { open.insert(entry.chain) }
        }
    }

    /// A branch begins with what was known where it left another one.
    private func inherited(by number: Int) -> Past {
        var past = path(to: number).dropFirst().lazy.compactMap { pasts[$0] }.first ?? Past()
        past.known = nil
        return past
    }

    /// Forgets all writers, to follow them anew.
    package mutating func forgetPasts() {
        pasts = [:]
        open = []
    }

    /// The last transaction of a branch that was followed.
    package func followed(on number: Int) -> UInt64 { pasts[number]?.sequence ?? 0 }

    /// An applied transaction as it was written, with every id by its branch's name.
    package mutating func name(_ transaction: Transaction, on number: Int) -> Transaction {
        follow(transaction.header, on: number)
        return !isForked && isUnaffected(number) ? transaction : named(transaction, on: number, pasts[number] ?? Past())
    }

    private func named(_ transaction: Transaction, on number: Int, _ past: Past) -> Transaction {
        let header = transaction.header
        let context = resolved(past, on: number).values.sorted { $0.origin < $1.origin }
        return transaction.named(
            origin: name(at: header.sequence, on: number), context: context,
            object: { id in
                ObjectID(
                    replica: resolve(id.replica, id.sequence, on: number, past), sequence: id.sequence, index: id.index)
            },
            stamp: { resolve($0, on: number, past) })
    }

    /// What a writer had applied, by branch name.
    private func resolved(_ past: Past, on number: Int) -> [ReplicaID: ContextEntry] {
        guard !past.isPlain else { return past.entries }
        var resolved: [ReplicaID: ContextEntry] = [:]
        for entry in past.entries.values {
            let name = resolve(entry.origin, entry.sequence, on: number, past)
            resolved[name] = ContextEntry(origin: name, sequence: entry.sequence, chain: entry.chain).orFurther(resolved[name])
        }
        return resolved
    }
}

extension NameResolver {
    /// What the writer of the transaction that was followed last on a branch had applied, itself included.
    package mutating func knowledge(on number: Int) -> Knowledge {
        let past = pasts[number] ?? Past()
        var known = past.known ?? [:]
        if past.known == nil {
            for (name, entry) in resolved(past, on: number) { cover(name, upTo: entry.sequence, in: &known) }
            cover(lines[number].name, upTo: 0, in: &known)
            pasts[number]?.known = known
        }
        return Knowledge(known, origin: lines[number].name, sequence: past.sequence)
    }

    /// Whether a transaction, the last that was followed on a branch, is named as by a resolver that had not learnt as much.
    ///
    /// - Parameter earlier: nil where ids were taken as they are. So were those in what it had not learnt of: this store wrote that.
    package func agrees(with earlier: NameResolver?, about transaction: Transaction, on number: Int) -> Bool {
        if isUnaffected(number) { return true }
        let past = pasts[number] ?? Past()
        let new = named(transaction, on: number, past)
        let header = transaction.header
        guard let earlier, let former = earlier.place(of: header.origin, header.sequence, header.chain) else {
            return new.changes == transaction.changes && new.header.origin == header.origin
                && resolved(past, on: number) == past.entries
        }
        return new == earlier.named(transaction, on: former, past)
    }

    /// By branch, up to where a state has it; nil when something of the state is called otherwise here, or is not here.
    package func coverage(of origins: [ReplicaID: AppliedOrigin]) -> [UInt64]? {
        var covered = [UInt64](repeating: 0, count: lines.count)
        for (name, origin) in origins where origin.sequence > 0 {
            guard let place = place(of: origin.branch.origin, origin.sequence, origin.chain) else { return nil }
            var end = origin.sequence
            for number in path(to: place) {
                let first = lines[number].root.firstSequence
                guard end >= first else { continue }
                if end >= origin.branch.firstSequence, lines[number].name != name { return nil }
                covered[number] = max(covered[number], end)
                end = first - 1
            }
        }
        return covered
    }

    /// Whether every transaction that was followed on a branch reads the same whatever forks there are.
    package func isUnaffected(_ number: Int) -> Bool { pasts[number]?.isPlain ?? true && forkOf(number) == nil }
}
