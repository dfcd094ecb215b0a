import EventLog
import Storage
import Testing

@Suite struct GroupReaderTests {
    private let own = ReplicaID(Digest128(high: 1, low: 2))

    /// A part with the entity "E", the columns "a" (int), "b" (bool), "c" (counter), "d" (edges) and these groups.
    private func part(_ groups: [(kind: UInt8, body: [UInt8])]) -> PartBytes {
        var writer = ByteWriter()
        writer.u8(0)
        writer.u64(1)
        for _ in 0..<3 { writer.u8(0) }
        writer.count(1)
        writer.string("E")
        writer.count(4)
        for (name, type) in [("a", ValueType.int), ("b", .bool), ("c", .counter), ("d", .edges)] {
            writer.u8(0)
            writer.string(name)
            writer.u8(type.rawValue)
        }
        for group in groups {
            writer.u8(group.kind)
            writer.count(group.body.count)
            writer.raw(group.body)
        }
        return PartBytes(writer.bytes)
    }

    private func read(_ groups: [(kind: UInt8, body: [UInt8])]) throws -> [Change] {
        var decoder = TransactionDecoder()
        return try decoder.decode(parts: [part(groups)], origin: own, sequence: 5).changes
    }

    private func failure(_ kind: UInt8, _ body: [UInt8]) -> StorageError? {
        #expect(throws: StorageError.self) { try read([(kind, body)]) }
    }

    @Test func anUnknownKindThatMayBeSkippedIs() throws {
        let changes = try read([(0x85, [1, 2, 3]), (8, [UInt8](repeating: 7, count: 16))])
        let former = ReplicaID(Digest128(high: 0x0707_0707_0707_0707, low: 0x0707_0707_0707_0707))
        #expect(changes == [.unknown(kind: 0x85), .rename(former: former)])
    }

    @Test func anyOtherUnknownKindNeedsANewerVersion() {
        #expect(failure(9, [])?.code == .newerVersion)
        #expect(failure(0, [])?.code == .newerVersion)
    }

    @Test func aSmallGroupIsRead() throws {
        // One insert of index 4 with a = -1 and b = true.
        let changes = try read([(1, [0, 1, 8, 0, 2, 0, 0, 1, 0, 1, 0, 1])])
        #expect(
            changes == [
                .insert(
                    object: ObjectID(replica: own, sequence: 5, index: 4), entity: "E",
                    values: [
                        PropertyValue(Property("a", .int), .int(-1)), PropertyValue(Property("b", .bool), .bool(true)),
                    ])
            ])
    }

    /// Each body breaks one rule of SPEC.md, 3.2.
    @Test(
        arguments: [
            ("no rows", 1, [0, 0, 0, 0, 0]),
            ("an entity that is not there", 1, [1, 1, 0, 0, 0]),
            ("indexes that do not ascend", 1, [0, 2, 0, 0, 0]),
            ("an index over 32 bits", 1, [0, 1, 0x80, 0x80, 0x80, 0x80, 0x20, 0, 0]),
            ("a negative index", 1, [0, 1, 1, 0, 0]),
            ("a column twice", 1, [0, 1, 0, 0, 2, 0, 1, 0, 1]),
            ("a column that is not there", 1, [0, 1, 0, 0, 1, 4, 1]),
            ("values of edges", 1, [0, 1, 0, 0, 1, 3, 0, 0, 0]),
            ("bytes left over", 1, [0, 1, 0, 0, 0, 0]),
            ("a width of three", 1, [0, 1, 0, 3, 0, 0, 0, 0]),
            ("a presence of form 3", 1, [0, 1, 0, 0, 1, 0, 3]),
            ("a bit behind the last row", 1, [0, 1, 0, 0, 1, 1, 0, 2]),
            ("equal replicas one by one", 2, [0, 1, 1, 0, 2, 0, 0, 0, 2, 0, 0]),
            ("bits of a presence that all rows share", 1, [0, 1, 0, 0, 1, 0, 2, 1, 0, 0]),
            ("a number not in its shortest form", 1, [0x80, 0, 1, 0, 0, 0]),
            ("an even length in an update", 2, [0, 1, 0, 0, 2, 0, 0, 0, 4, 0, 0]),
            ("sequence 0", 2, [0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0]),
            ("an origin that is not there", 2, [0, 1, 0, 1, 2, 0, 0, 0, 2, 0, 0]),
            ("replicas of form 2", 2, [0, 1, 2, 0, 2, 0, 0, 0, 2, 0, 0]),
            ("an old value without stamp", 2, [0, 1, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0, 2, 0, 1]),
            ("an odd length in a delete", 3, [0, 1, 0, 0, 2, 0, 0, 0, 2, 0, 0]),
            ("length 0 in a delete", 3, [0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0]),
            ("a value without its column", 3, [0, 1, 0, 0, 2, 0, 0, 0, 4, 0, 1, 0, 0, 2, 0, 1]),
            ("an even length in a restore", 4, [0, 1, 0, 0, 2, 0, 0, 0, 4, 0, 0]),
            ("an edge in a column of ints", 5, [0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 0]),
            ("length 0 of an edge", 5, [3, 1, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]),
            ("an increment of an int", 6, [0, 1, 0, 0, 2, 0, 0, 0, 2, 0, 2, 0, 0, 0]),
            ("a rename that is cut off", 8, [1, 2, 3]),
            ("an empty schema record", 7, []),
        ] as [(String, UInt8, [UInt8])])
    func aBrokenRuleIsMalformed(rule: String, kind: UInt8, body: [UInt8]) {
        let error = failure(kind, body)
        #expect(error?.code == .malformed, "\(rule)")
        #expect(error?.offset != nil, "\(rule)")
    }

    /// The bodies above broken by nothing else: the same ones with the rule kept are read.
    @Test(
        arguments: [
            (2, [0, 1, 0, 0, 2, 0, 0, 0, 2, 0, 0]), (3, [0, 1, 0, 0, 2, 0, 0, 0, 4, 0, 0]),
            (4, [0, 1, 0, 0, 2, 0, 0, 0, 6, 0, 0]), (5, [3, 1, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 0]),
            (6, [2, 1, 0, 0, 2, 0, 0, 0, 2, 0, 2, 0, 0, 0]), (3, [0, 1, 0, 0, 2, 0, 0, 0, 4, 0, 1, 0, 0, 2, 0, 0]),
            (2, [0, 1, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 0]),
        ] as [(UInt8, [UInt8])])
    func theRulesKeptAreRead(kind: UInt8, body: [UInt8]) throws {
        #expect(try read([(kind, body)]).count == 1)
    }

    /// A few bytes that claim many equal rows: fine up to the limit of a part, refused above it.
    @Test func whatAPartUnfoldsToIsBounded() throws {
        func deletes(_ rows: Int) -> (kind: UInt8, body: [UInt8]) {
            var body = ByteWriter()
            body.u8(0)
            body.count(rows)
            body.raw([0, 0, 2, 0, 0, 0, 4, 0, 0] as [UInt8])
            return (3, body.bytes)
        }
        let half = TransactionFormat.maximumCells / 2
        #expect(try read([deletes(half), deletes(half)]).count == 2 * half)
        #expect(throws: StorageError.self) { try read([deletes(half), deletes(half), deletes(1)]) }
        #expect(throws: StorageError.self) { try read([deletes(.max)]) }
        // Columns count too.
        var wide = ByteWriter()
        wide.u8(0)
        wide.count(half)
        wide.raw([0, 0, 2, 0, 0, 0, 4, 0, 2, 0, 1, 1, 1, 1, 1] as [UInt8])
        #expect(throws: StorageError.self) { try read([(3, wide.bytes)]) }
    }

    @Test func tablesListNothingTwice() {
        var decoder = TransactionDecoder()
        let header: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let entityTwice = header + [2, 1, 0x45, 1, 0x45, 0]
        let columnTwice = header + [1, 1, 0x45, 2, 0, 1, 0x61, 2, 0, 1, 0x61, 2]
        let typesDiffer = header + [1, 1, 0x45, 2, 0, 1, 0x61, 2, 0, 1, 0x61, 3]
        #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes(entityTwice)], origin: own, sequence: 1)
        }
        #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes(columnTwice)], origin: own, sequence: 1)
        }
        #expect(throws: Never.self) { try decoder.decode(parts: [PartBytes(typesDiffer)], origin: own, sequence: 1) }
    }

    @Test func anUnknownTypeNeedsANewerVersion() {
        var decoder = TransactionDecoder()
        let bytes: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x45, 1, 0, 1, 0x61, 12]
        let error = #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes(bytes)], origin: own, sequence: 1)
        }
        #expect(error?.code == .newerVersion)
    }

    @Test func aStringMustNotBreakACharacter() throws {
        // "é" cut into two values: valid as a whole, not each.
        func strings(_ lengths: [UInt8]) -> [UInt8] {
            [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x45, 1, 0, 1, 0x61, 4, 1, 15, 0, 2, 0, 1, 0, 1, 1, 0, 0, 0, 1]
                + lengths + [0xc3, 0xa9]
        }
        var decoder = TransactionDecoder()
        #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes(strings([1, 1]))], origin: own, sequence: 1)
        }
        #expect(throws: Never.self) {
            try decoder.decode(parts: [PartBytes(strings([0, 2]))], origin: own, sequence: 1)
        }
    }
}
