import EventLog
import Projection
import Simulation
import Storage
import Testing

/// Inserts that are joined by columns come to what they come to one by one.
@Suite struct FoldStateInsertsTests {
    /// A transaction as a log gives it, by groups.
    private static func grouped(_ transaction: Transaction) throws -> GroupedTransaction {
        let header = transaction.header
        var parts: [PartBytes] = []
        let builder = try TransactionBuilder(
            origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
            context: header.context, isVoid: header.isVoid
        ) { parts.append(PartBytes($0)) }
        for change in transaction.changes { try builder.add(change) }
        _ = try builder.finish()
        var decoder = TransactionDecoder()
        return try decoder.decodeGroups(
            parts: parts, origin: header.origin, sequence: header.sequence, previousChain: header.previousChain,
            chain: header.chain)
    }

    @Test("histories come to the same", arguments: 1...60 as ClosedRange<UInt64>)
    func histories(seed: UInt64) throws {
        let history = try RandomHistory(seed: seed)
        let resolved = ResolvedHistory(history.transactions)
        let oneByOne = ReferenceFold.fold(resolved, into: .tracking)
        // Where an origin has forked, ids are written anew, and then there are no columns.
        guard resolved.transactions == history.transactions else { return }
        var byColumns = FoldState.tracking
        for transaction in history.transactions { byColumns.apply(try Self.grouped(transaction)) }
        #expect(byColumns.stateDigest == oneByOne.stateDigest)
        for id in Set(history.transactions.flatMap { $0.changes.compactMap(\.object) }) {
            #expect(byColumns.objects[id] == oneByOne.objects[id])
            #expect(byColumns.row(id) == oneByOne.row(id))
        }
    }

    private static let code = Property("code", .string)
    private static let text = Property("text", .string)
    private static let number = Property("number", .int)
    private static let extra = [
        Property("bool", .bool), Property("double", .double), Property("date", .date), Property("uuid", .uuid),
        Property("data", .data), Property("counter", .counter), Property("blob", .blob), Property("owner", .reference),
    ]

    private static func value(_ type: ValueType, _ random: inout SplitMix64) -> Value {
        let number = random.next() % 9
        if number == 0 { return .null }
        return switch type {
        case .bool: .bool(number > 4)
        case .int: .int(Int64(number) - 4)
        case .double: .double(Double(number) / 3)
        case .string: .string(String(repeating: "ä", count: Int(number)))
        case .date: .date(Double(number))
        case .uuid: .uuid(Digest128(high: number, low: 1))
        case .data: .data([UInt8](repeating: 1, count: Int(number)))
        case .blob: .blob(BlobReference(id: BlobID(high: Digest128(high: number, low: 0), low: .zero), length: number))
        case .counter: .counter(Int64(number))
        case .reference: .reference(Scribe(3).object(number))
        case .edges: .null
        }
    }

    /// Inserts of few shapes, some of whose keys meet, after a declaration; then some updates and deletes.
    private static func history(_ random: inout SplitMix64) -> [Transaction] {
        var scribes = [Scribe(1), Scribe(2)]
        let key = [[], ["code"], ["code", "number"]][Int(random.next() % 3)]
        let all = [code, text, number] + extra
        let declaration = EntityDeclaration(
            name: "Box", version: 1, fields: all.map { FieldDeclaration($0) }, uniqueKey: key)
        scribes[0].write(at: 1, .schema(declaration))
        var made: [ObjectID] = []
        for step in 0..<12 as Range<UInt64> {
            let writer = Int(random.next() % 2)
            var properties = [code, text, number] + extra.filter { _ in random.next() % 4 == 0 }
            if random.next() % 5 == 0 { properties.remove(at: Int(random.next() % 3)) }
            var changes: [Change] = []
            let id = scribes[writer].id
            let sequence = scribes[writer].sequence + 1
            for index in 0..<UInt32(random.next() % 40) {
                let values = properties.map { property in
                    PropertyValue(
                        property,
                        property == code && random.next() % 3 > 0
                            ? .string("c\(random.next() % 400)") : value(property.type, &random))
                }
                let object = ObjectID(replica: id, sequence: sequence, index: index)
                made.append(object)
                changes.append(.insert(object: object, entity: "Box", values: values))
            }
            for _ in 0..<random.next() % 4 {
                guard let object = made.randomElement(using: &random) else { continue }
                let new = PropertyValue(code, .string("c\(random.next() % 400)"))
                changes.append(
                    random.next() % 2 == 0
                        ? .delete(object: object, entity: "Box", length: 2, seen: [])
                        : .update(
                            object: object, entity: "Box", length: 1,
                            assignments: [Assignment(new.property, new: new.value, old: nil, overwrote: nil)]))
            }
            scribes[writer].write(at: 10 + step, knowing: [scribes[1 - writer]], list: changes)
        }
        return (scribes[0].written + scribes[1].written).sorted { $0.header.timestamp < $1.header.timestamp }
    }

    /// In memory, over runs, and after a transaction was taken back: with keys that meet, nulls, every type.
    @Test(arguments: 0..<120 as Range<UInt64>) func shapesComeToTheSame(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let transactions = Self.history(&random)
        let directory = ProjectionDirectory(
            "/runs", in: .simulated(seed: seed), cacheBytes: 8 << 20)
        var oneByOne = FoldState.tracking
        var byColumns = FoldState.tracking
        #expect(try directory.tryLock())
        for transaction in transactions {
            oneByOne.apply(transaction)
            let grouped = try Self.grouped(transaction)
            if random.next() % 3 == 0 {
                byColumns.begin()
                for group in grouped.groups { byColumns.join(group, stamp: grouped.header.stamp) }
                byColumns.rollback()
            }
            byColumns.apply(grouped)
            guard random.next() % 3 == 0 else { continue }
            byColumns.freeze()
            let count = byColumns.objects.frozenCount
            if random.next() % 2 == 0 { byColumns.replaceBase(try directory.flush(byColumns), withFrozen: count) }
        }
        #expect(byColumns.stateDigest == oneByOne.stateDigest)
        for id in transactions.flatMap({ $0.changes.compactMap(\.object) }) {
            let record = oneByOne.objects[id]
            let held = byColumns.objects[id]
            // A run has nothing of an object of which it is enough to know that it was there.
            #expect(held == record || held == nil && record?.isAlive == false)
            #expect(byColumns.row(id) == oneByOne.row(id))
            #expect(byColumns.members(of: id) == oneByOne.members(of: id))
            for term in held.map({ HeldRecord.whole($0).terms(oneByOne.schema).hashes }) ?? [] {
                #expect(byColumns.objects.candidates(term).contains(id))
            }
        }
        directory.unlock()
    }
}
