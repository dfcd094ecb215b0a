import EventLog
import Storage
import Testing

/// Encodes changes with one builder; returns its parts and summary.
func encode(
    _ changes: [Change], origin: ReplicaID, sequence: UInt64, author: String = "", context: [ContextEntry] = []
) throws -> (parts: [PartBytes], summary: TransactionBuilder.Summary) {
    var parts: [PartBytes] = []
    let builder = try TransactionBuilder(
        origin: origin, sequence: sequence, timestamp: Timestamp(rawValue: 77), author: author, context: context
    ) { parts.append(PartBytes($0)) }
    try RandomTransaction.feed(changes, to: builder)
    let summary = try builder.finish()
    return (parts, summary)
}

/// The changes of each object in their order; schema and rename records under nil.
func byObject(_ changes: [Change]) -> [ObjectID?: [Change]] { Dictionary(grouping: changes, by: \.object) }

@Suite struct TransactionBuilderTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func everyChangeComesBack(seed: UInt64) throws {
        let made = RandomTransaction(seed: seed, count: seed < 50 ? Int(seed) * 7 : 5000)
        let (parts, summary) = try encode(made.changes, origin: made.origin, sequence: made.sequence, author: "tester")
        var decoder = TransactionDecoder()
        let transaction = try decoder.decode(parts: parts, origin: made.origin, sequence: made.sequence)
        #expect(transaction.header.author == "tester")
        #expect(transaction.header.timestamp == Timestamp(rawValue: 77))
        #expect(summary.changes == made.changes.count)
        #expect(summary.byteCount == parts.reduce(0) { $0 + $1.count })
        #expect(summary.digests == parts.map(\.digest))
        // Also proves that the changes of each object come in their order.
        #expect(byObject(transaction.changes) == byObject(made.changes))
    }
}
