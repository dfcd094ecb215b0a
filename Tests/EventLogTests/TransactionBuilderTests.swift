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

    private let own = ReplicaID(Digest128(high: 1, low: 2))
    private let title = Property("title", .string), views = Property("views", .int)

    private func builder(_ sink: @escaping ([UInt8]) throws -> Void = { _ in }) throws -> TransactionBuilder {
        try TransactionBuilder(origin: own, sequence: 3, timestamp: .zero, sink: sink)
    }

    private func groups(_ parts: [PartBytes]) throws -> [ChangeGroup] {
        var decoder = TransactionDecoder()
        var all: [ChangeGroup] = []
        for part in parts {
            var reader = try decoder.groups(of: part, origin: own, sequence: 3)
            while let group = try reader.next() { all.append(group) }
        }
        return all
    }

    @Test func aLargeTransactionComesInParts() throws {
        var made: [Change] = []
        var dice = Dice(4)
        for index in 0..<200_000 as Range<UInt32> {
            let id = ObjectID(replica: own, sequence: 3, index: index / 2)
            if index.isMultiple(of: 2) {
                made.append(.insert(object: id, entity: "Post", values: [PropertyValue(title, .string("Post \(index)"))]))
            } else {
                let other = ObjectID(replica: own, sequence: 2, index: UInt32(dice.below(50_000)))
                made.append(
                    .increment(
                        object: other, entity: "Post", length: 1, property: Property("likes", .counter), by: 1,
                        seen: Int64(index)))
            }
        }
        let (parts, summary) = try encode(made, origin: own, sequence: 3)
        #expect(parts.count > 1)
        #expect(summary.parts == parts.count)
        #expect(parts.allSatisfy { $0.count <= TransactionFormat.maximumPart })
        var decoder = TransactionDecoder()
        let changes = try decoder.decode(parts: parts, origin: own, sequence: 3).changes
        #expect(byObject(changes) == byObject(made))
        // In each kind the order is that of the writes.
        let isInsert: (Change) -> Bool = { if case .insert = $0 { true } else { false } }
        #expect(changes.filter(isInsert) == made.filter(isInsert))
        #expect(changes.filter { !isInsert($0) } == made.filter { !isInsert($0) })
    }

    @Test func interleavedShapesShareGroups() throws {
        var parts: [PartBytes] = []
        let builder = try builder { parts.append(PartBytes($0)) }
        for number in 0..<1000 as Range<Int64> {
            try builder.insert("Post", [PropertyValue(title, .string("x"))])
            try builder.insert("Attachment", [PropertyValue(views, .int(number))])
        }
        _ = try builder.finish()
        let groups = try groups(parts)
        #expect(groups.map(\.count) == [1000, 1000])
        guard case .insert(let posts) = groups[0], case .insert(let attachments) = groups[1] else {
            Issue.record("not two groups of inserts")
            return
        }
        #expect(posts.indexes == (0..<1000).map { $0 * 2 })
        #expect(attachments.indexes == (0..<1000).map { $0 * 2 + 1 })
    }

    @Test func groupsCloseBeforeAnObjectIsInTwo() throws {
        var parts: [PartBytes] = []
        let builder = try builder { parts.append(PartBytes($0)) }
        let id = try builder.insert("Post", [PropertyValue(views, .int(1))])
        try builder.insert("Post", [PropertyValue(views, .int(2))])
        try builder.update(id, entity: "Post", length: 1, [Assignment(views, new: .int(3), old: nil, overwrote: nil)])
        try builder.update(id, entity: "Post", length: 1, [Assignment(views, new: .int(4), old: nil, overwrote: nil)])
        try builder.delete(id, entity: "Post", length: 2, seen: [])
        _ = try builder.finish()
        #expect(try groups(parts).map(\.count) == [2, 2, 1])
    }

    @Test func moreShapesThanMayBeOpen() throws {
        var made: [Change] = []
        for index in 0..<600 as Range<UInt32> {
            let property = Property("p\(index % 20)", .int)
            made.append(
                .insert(
                    object: ObjectID(replica: own, sequence: 3, index: index), entity: "E",
                    values: [PropertyValue(property, .int(1))]))
        }
        let (parts, _) = try encode(made, origin: own, sequence: 3)
        var decoder = TransactionDecoder()
        let changes = try decoder.decode(parts: parts, origin: own, sequence: 3).changes
        #expect(byObject(changes) == byObject(made))
    }

    @Test func rowsInBulkAreAsRowsOneByOne() throws {
        var single: [PartBytes] = []
        var bulk: [PartBytes] = []
        let first = try builder { single.append(PartBytes($0)) }
        for row in 0..<3000 as Range<Int64> {
            let text: Value = row % 7 == 0 ? .null : .string("Post \(row)")
            try first.insert("Post", [PropertyValue(title, text), PropertyValue(views, .int(row))])
        }
        _ = try first.finish()
        let second = try builder { bulk.append(PartBytes($0)) }
        for start in [0, 1000, 2000] as [Int64] {
            let index = try second.insertRows("Post", [title, views], count: 1000) { columns in
                for row in start..<start + 1000 {
                    if row % 7 == 0 { columns[0].appendNull() } else { columns[0].append("Post \(row)") }
                    columns[1].append(row)
                }
            }
            #expect(index == UInt32(start))
        }
        let summary = try second.finish()
        #expect(summary.inserts == 3000)
        #expect(bulk == single)
    }

    @Test func largeRowsInBulkAreSplit() throws {
        var parts: [PartBytes] = []
        let builder = try builder { parts.append(PartBytes($0)) }
        let sizes = [500_000, 10, 700_000, 3, 600_000, 900_000, 0]
        _ = try builder.insertRows("Post", [title], count: sizes.count) { columns in
            for size in sizes { columns[0].append(String(repeating: "x", count: size)) }
        }
        _ = try builder.finish()
        #expect(parts.count >= 4)
        var lengths: [Int] = []
        for group in try groups(parts) {
            group.forEachChange { change in
                guard case .insert(_, _, let values) = change, case .string(let text) = values[0].value else { return }
                lengths.append(text.utf8.count)
            }
        }
        #expect(lengths == sizes)
    }

    @Test func theLargestValueThatFitsDoes() throws {
        var parts: [PartBytes] = []
        let builder = try builder { parts.append(PartBytes($0)) }
        try builder.insert("Post", [PropertyValue(views, .int(1))])
        var size = TransactionFormat.maximumPart
        var refusal: ChangeRefused?
        while true {
            do throws(any Error) {
                let text = Value.string(String(repeating: "x", count: size))
                try builder.insert("Post", [PropertyValue(title, text), PropertyValue(views, .int(1))])
                break
            } catch let error as ChangeRefused {
                refusal = error
                size -= 256
            }
        }
        #expect(refusal?.property == title)
        #expect(refusal?.subject == "Post")
        #expect(refusal?.description.contains("Blob") == true)
        #expect(size > TransactionFormat.maximumPart - 4096)
        try builder.insert("Post", [PropertyValue(views, .int(2))])
        let summary = try builder.finish()
        #expect(summary.changes == 3)
        #expect(try groups(parts).reduce(0) { $0 + $1.count } == 3)
    }

    @Test func manyNamesFillParts() throws {
        // The tables alone need several parts.
        var parts: [PartBytes] = []
        let builder = try builder { parts.append(PartBytes($0)) }
        for number in 0..<10_000 {
            let name = String(repeating: "n", count: 240) + "\(number)"
            try builder.insert("E", [PropertyValue(Property(name, .int), .int(1))])
        }
        _ = try builder.finish()
        #expect(parts.count > 2)
        #expect(parts.allSatisfy { $0.count <= TransactionFormat.maximumPart })
        #expect(try groups(parts).reduce(0) { $0 + $1.count } == 10_000)
    }

    @Test func manyCellsFillParts() throws {
        // A byte or less for each row: the limit of cells ends the parts.
        var parts: [PartBytes] = []
        let builder = try builder { parts.append(PartBytes($0)) }
        for _ in 0..<400_000 { try builder.insert("E", [PropertyValue(Property("a", .bool), .bool(true))]) }
        _ = try builder.finish()
        #expect(parts.count >= 4)
        #expect(try groups(parts).reduce(0) { $0 + $1.count } == 400_000)
    }

    @Test func aLongContextLeavesRoom() throws {
        var parts: [PartBytes] = []
        let context = (0..<10_000 as Range<UInt64>).map {
            ContextEntry(origin: ReplicaID(Digest128(high: 9, low: $0)), sequence: $0 + 1, chain: .zero)
        }
        let builder = try TransactionBuilder(
            origin: own, sequence: 3, timestamp: .zero, context: context
        ) { parts.append(PartBytes($0)) }
        try builder.insert("Post", [PropertyValue(title, .string(String(repeating: "x", count: 900_000)))])
        _ = try builder.finish()
        #expect(parts.count == 2)
        #expect(try TransactionDecoder.header(of: parts[0], origin: own, sequence: 3).context == context)
        #expect(try groups(parts).map(\.count) == [1])
    }

    /// The largest text that an insert takes can be written over by another, and each value is told once.
    @Test(arguments: [1, 3]) func whatCouldBeInsertedCanBeReplaced(_ count: Int) throws {
        let properties = (0..<count).map { Property("p\($0)", .string) }
        func values(_ letter: String, _ size: Int) -> [Value] {
            properties.map { _ in .string(String(repeating: letter, count: size)) }
        }
        func insert(_ size: Int) -> ObjectID? {
            guard let builder = try? builder() else { return nil }
            return try? builder.insert("Post", zip(properties, values("a", size)).map { PropertyValue($0, $1) })
        }
        var (size, tooMuch) = (1, 1 << 20)
        while tooMuch - size > 1 {
            let middle = (size + tooMuch) / 2
            if insert(middle) == nil { tooMuch = middle } else { size = middle }
        }
        #expect(size * count > 900_000)
        let (old, new) = (values("a", size), values("b", size))
        let before = Stamp(timestamp: Timestamp(milliseconds: 3, counter: 0), replica: own)
        let id = ObjectID(replica: own, sequence: 1, index: 0)
        let assignments = properties.indices.map {
            Assignment(properties[$0], new: new[$0], old: old[$0], overwrote: before)
        }
        let (parts, _) = try encode(
            [.update(object: id, entity: "Post", length: 1, assignments: assignments)], origin: own, sequence: 9)
        #expect(parts.allSatisfy { $0.count <= TransactionFormat.maximumPart })
        var decoder = TransactionDecoder()
        var reads: [Property: Value] = [:]
        var seen: [Property: Value] = [:]
        for change in try decoder.decode(parts: parts, origin: own, sequence: 9).changes {
            guard case .update(id, "Post", 1, let assignments) = change else {
                Issue.record("\(change)")
                continue
            }
            for assignment in assignments {
                #expect(assignment.old == reads[assignment.property] ?? old[0])
                if seen[assignment.property] == nil { seen[assignment.property] = assignment.old }
                #expect((assignment.overwrote == before) == (reads[assignment.property] == nil))
                reads[assignment.property] = assignment.new
            }
        }
        for (place, property) in properties.enumerated() {
            #expect(reads[property] == new[place] && seen[property] == old[place])
        }
        // What no insert takes is refused, with the number that is too large.
        let text = String(repeating: "c", count: 3 * size + 3000)
        let refused = #expect(throws: ChangeRefused.self) {
            try self.builder().update(
                id, entity: "Post", length: 1, [Assignment(properties[0], new: .string(text), old: nil, overwrote: nil)])
        }
        guard case .tooLarge(let size, let limit)? = refused?.reason else {
            Issue.record("\(refused as Any)")
            return
        }
        #expect(size > limit && size >= text.utf8.count)
    }

    @Test func whatCannotBeStoredIsRefused() throws {
        let builder = try builder()
        let id = try builder.insert("Post", [])
        let stamp = Stamp(timestamp: .zero, replica: own)
        let long = String(repeating: "n", count: 256)
        func reason(_ body: () throws -> Void) -> ChangeRefused.Reason? {
            #expect(throws: ChangeRefused.self) { try body() }?.reason
        }
        #expect(reason { try builder.insert("Post", [PropertyValue(title, .int(1))]) } == .wrongType)
        #expect(
            reason { try builder.insert("Post", [PropertyValue(title, .null), PropertyValue(title, .null)]) }
                == .duplicateProperty)
        #expect(reason { try builder.insert(long, []) } == .tooLarge(size: 256, limit: 255))
        #expect(
            reason { try builder.insert("Post", [PropertyValue(Property(long, .int), .null)]) }
                == .tooLarge(size: 256, limit: 255))
        #expect(reason { try builder.insert("Post", [PropertyValue(Property("t", .edges), .null)]) } == .wrongType)
        #expect(reason { try builder.update(id, entity: "Post", length: 2, []) } == .invalidLength(2))
        #expect(reason { try builder.delete(id, entity: "Post", length: 1, seen: []) } == .invalidLength(1))
        #expect(reason { try builder.restore(id, entity: "Post", length: 2, values: []) } == .invalidLength(2))
        let unproven = Assignment(title, new: .null, old: nil, overwrote: stamp)
        #expect(reason { try builder.update(id, entity: "Post", length: 1, [unproven]) } == .unprovenOldValue)
        #expect(
            reason {
                try builder.edge(owner: id, entity: "Post", property: title, target: id, ownerLength: 1, length: 1)
            } == .wrongType)
        #expect(
            reason { try builder.increment(id, entity: "Post", length: 1, property: views, by: 1, seen: 1) } == .wrongType)
        #expect(try builder.finish().changes == 1)
        #expect(
            reason {
                _ = try TransactionBuilder(
                    origin: own, sequence: 1, timestamp: .zero, author: String(repeating: "a", count: 1025)
                ) { _ in }
            } == .tooLarge(size: 1025, limit: 1024))
        let entry = ContextEntry(origin: own, sequence: 1, chain: .zero)
        #expect(
            reason { _ = try TransactionBuilder(origin: own, sequence: 1, timestamp: .zero, context: [entry]) { _ in } }
                == .unorderedContext)
    }

    @Test func aFailingSinkFailsTheCall() throws {
        struct Full: Error {}
        let builder = try builder { _ in throw Full() }
        try builder.insert("Post", [])
        #expect(throws: Full.self) { try builder.finish() }
    }
}
