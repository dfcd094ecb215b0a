import EventLog
import Projection
import Simulation
import Storage
import Testing

/// Writes transactions by hand for one origin.
struct Scribe {
    let id: ReplicaID
    private(set) var sequence: UInt64 = 0
    private(set) var chain: Digest128 = .zero
    private(set) var written: [Transaction] = []

    /// - Parameter digit: the first hexadecimal digits of the id, which descriptions show.
    init(_ digit: UInt64) { id = ReplicaID(Digest128(high: digit << 32, low: 0)) }

    /// The id of the `index`th insert of the `sequence`th transaction.
    func object(_ sequence: UInt64, _ index: UInt32 = 0) -> ObjectID {
        ObjectID(replica: id, sequence: sequence, index: index)
    }

    /// Adds a transaction; `time` is in milliseconds.
    ///
    /// `nonce`: tells branches apart; a fork is two copies of a scribe that write with different ones.
    /// `scribes`: whose transactions it has applied, as they are now.
    @discardableResult
    mutating func write(
        at time: UInt64, nonce: UInt64 = 0, knowing scribes: [Scribe] = [], context: [ContextEntry] = [], _ changes: Change...
    ) -> Transaction {
        write(at: time, nonce: nonce, knowing: scribes, context: context, list: changes)
    }

    /// Adds a transaction of any number of changes.
    @discardableResult
    mutating func write(
        at time: UInt64, nonce: UInt64 = 0, knowing scribes: [Scribe] = [], context: [ContextEntry] = [], list changes: [Change]
    ) -> Transaction {
        sequence += 1
        let previous = chain
        var bytes = ByteWriter()
        bytes.digest(previous)
        bytes.digest(id.bits)
        bytes.u64(nonce)
        chain = Checksum.xxh3Wide(bytes.bytes.span)
        let entries = scribes.filter { $0.sequence > 0 }.map(\.position) + context
        let header = TransactionHeader(
            origin: id, sequence: sequence, timestamp: Timestamp(milliseconds: time),
            context: entries.sorted { $0.origin < $1.origin }, previousChain: previous, chain: chain)
        let transaction = Transaction(header: header, changes: changes)
        written.append(transaction)
        return transaction
    }

    var position: ContextEntry { ContextEntry(origin: id, sequence: sequence, chain: chain) }
}

/// The state of transactions after checking that every order of delivery gives it, one by one and as a set, with duplicates,
/// and split into a baseline and a tail anywhere.
func everyOrder(
    _ transactions: [Transaction], sourceLocation: SourceLocation = #_sourceLocation
) -> FoldState {
    let expected = ReferenceFold.fold(transactions)
    let picture = Picture(expected)
    let named = ResolvedHistory(transactions).transactions
    let conflicts = ResolvedHistory(transactions).conflicts()
    for order in interleavings(named) {
        for cut in 0...order.count {
            var state = FoldState()
            for transaction in order[..<cut] { state.apply(transaction) }
            state = FoldState.tracking.joined(with: state.baseline())
            for transaction in order[cut...] { state.apply(transaction) }
            #expect(Picture(state) == picture, sourceLocation: sourceLocation)
        }
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<100 {
        let order = transactions.shuffled(using: &random)
        let again = ResolvedHistory(order + transactions.prefix(1))
        #expect(ReferenceFold.fold(again).stateDigest == picture.stateDigest, sourceLocation: sourceLocation)
        #expect(again.conflicts() == conflicts, sourceLocation: sourceLocation)
    }
    return expected
}

/// Every order in which the transactions of each origin ascend.
private func interleavings(_ transactions: [Transaction]) -> [[Transaction]] {
    guard !transactions.isEmpty else { return [[]] }
    var origins: Set<ReplicaID> = []
    return transactions.indices.filter { origins.insert(transactions[$0].header.origin).inserted }.flatMap { index in
        var rest = transactions
        let first = rest.remove(at: index)
        return interleavings(rest).map { [first] + $0 }
    }
}

extension FoldState {
    func joined(with baseline: Baseline) -> FoldState {
        var state = self
        state.apply(baseline: baseline)
        return state
    }
}
