package import EventLog
package import Projection
import Storage

// Invariants
// * `state` is the fold of `known`. It is kept up to date transaction by transaction until a fork shows: two chains for one
//   place, or a context that calls a place by another name than its origin, for its writer knew of a branch that has not
//   arrived here. From then on ids are names, which only the whole set tells.
// * `known` has each transaction behind the one before it in its chain.
// * Once somebody else's transaction bears `id`, nothing more is written under it.

/// A replica of a random history: what it has received and how it sees the world.
package struct HistoryReplica: Sendable {
    package private(set) var id: ReplicaID
    /// Indexes into the history's transactions, in the order of arrival.
    package private(set) var known: [Int] = []
    package internal(set) var state = FoldState()
    /// How far its clock is off, in milliseconds.
    package let skew: Int64
    private var isKnown: Set<Int> = []
    private var chains: [Place: Digest128] = [:]
    /// What the transaction with a chain is called by its origin and by contexts.
    private var called: [Digest128: ReplicaID] = [:]
    private var announced: [ReplicaID: ContextEntry] = [:]
    private var seesFork = false
    private var mustRename = false

    private struct Place: Hashable {
        var origin: ReplicaID
        var sequence: UInt64
    }

    init(id: ReplicaID, skew: Int64) {
        self.id = id
        self.skew = skew
    }

    package func knows(_ transaction: Int) -> Bool { isKnown.contains(transaction) }

    /// The sequence of its next transaction.
    var nextSequence: UInt64 { (state.origins[id]?.sequence ?? 0) + 1 }

    /// A timestamp after all it has applied, by its own idea of the time.
    func timestamp(at milliseconds: UInt64) -> Timestamp {
        let wall = Timestamp(milliseconds: UInt64(max(0, Int64(milliseconds) + skew)))
        let last = state.origins.values.map(\.timestamp).max() ?? .zero
        return wall > last ? wall : Timestamp(rawValue: last.rawValue + 1)
    }

    /// Takes a new id when its own may have been written under elsewhere.
    mutating func renameIfNeeded(to new: ReplicaID) -> ReplicaID? {
        guard mustRename else { return nil }
        defer {
            id = new
            announced = [:]
            mustRename = false
        }
        return id
    }

    /// Its next transaction, with its bytes; what its context announces is not announced again.
    mutating func transaction(
        _ changes: [Change], timestamp: Timestamp, author: String, isVoid: Bool, in dataset: DatasetID
    ) throws -> (transaction: Transaction, part: PartBytes) {
        var context: [ContextEntry] = []
        for (name, origin) in state.origins.sorted(by: { $0.key < $1.key }) where name != id && origin.sequence > 0 {
            let entry = ContextEntry(origin: name, sequence: origin.sequence, chain: origin.chain)
            guard announced[name] != entry else { continue }
            announced[name] = entry
            context.append(entry)
        }
        let sequence = nextSequence
        var bytes: [UInt8] = []
        let builder = try TransactionBuilder(
            origin: id, sequence: sequence, timestamp: timestamp, author: author, context: context, isVoid: isVoid
        ) { bytes = $0 }
        for change in changes { try builder.add(change) }
        _ = try builder.finish()
        let part = PartBytes(bytes)
        let start = Chain.start(dataset: dataset, origin: id)
        let previous = sequence == 1 ? start : state.origins[id]?.chain ?? start
        let header = TransactionHeader(
            origin: id, sequence: sequence, timestamp: timestamp, author: author, isVoid: isVoid, context: context,
            previousChain: previous, chain: Chain.step(previous, part))
        return (Transaction(header: header, changes: changes), part)
    }

    /// Notes what it wrote and has applied itself.
    mutating func wrote(_ transaction: Int, _ header: TransactionHeader) { note(transaction, header) }

    /// Receives transactions that follow what it knows.
    mutating func receive(_ indexes: [Int], of transactions: [Transaction]) {
        let new = indexes.filter { !isKnown.contains($0) }
        for index in new {
            let header = transactions[index].header
            if header.origin == id { mustRename = true }
            note(index, header)
        }
        if seesFork {
            state = ReferenceFold.fold(known.map { transactions[$0] })
        } else {
            for index in new { state.apply(transactions[index]) }
        }
    }

    private mutating func note(_ index: Int, _ header: TransactionHeader) {
        known.append(index)
        isKnown.insert(index)
        let place = Place(origin: header.origin, sequence: header.sequence)
        if let chain = chains[place], chain != header.chain { seesFork = true }
        chains[place] = header.chain
        call(header.chain, header.origin)
        for entry in header.context { call(entry.chain, entry.origin) }
    }

    private mutating func call(_ chain: Digest128, _ name: ReplicaID) {
        if let other = called[chain], other != name { seesFork = true }
        called[chain] = name
    }
}
