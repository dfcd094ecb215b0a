import EventLog
import Storage
import Testing

@Suite struct TransactionDecoderTests {
    private static let own = ReplicaID(Digest128(high: 1, low: 2))
    private static let other = ReplicaID(Digest128(high: 0xaaaa_aaaa_aaaa_aaaa, low: 0xaaaa_aaaa_aaaa_aaaa))

    /// By hand from SPEC.md, sections 3.1 and 3.2.
    private static let golden: [UInt8] = [
        0x00,  // flags: not void
        0x02, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,  // timestamp: 1 ms, counter 2
        0x02, 0x6d, 0x65,  // author "me"
        0x00,  // no context
        0x01,  // one origin besides the own
        0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
        0x01, 0x04, 0x50, 0x6f, 0x73, 0x74,  // one entity: "Post"
        0x02,  // two columns
        0x00, 0x05, 0x74, 0x69, 0x74, 0x6c, 0x65, 0x04,  // of entity 0: "title", string
        0x00, 0x05, 0x76, 0x69, 0x65, 0x77, 0x73, 0x02,  // of entity 0: "views", int
        0x01, 0x1b,  // an insert group of 27 bytes
        0x00, 0x02,  // entity 0, two rows
        0x00, 0x01, 0x00, 0x01,  // indexes: base 0, one byte each: 0 and 1
        0x02,  // two columns
        0x00, 0x00,  // title, none null
        0x04, 0x01, 0x00, 0x02,  // byte counts: base 2, one byte each: 2 and 4
        0x48, 0x69, 0x59, 0x6f, 0x75, 0x21,  // "Hi", "You!"
        0x01, 0x00,  // views, none null
        0x0e, 0x02, 0x00, 0x00, 0x25, 0x01,  // base 7, two bytes each: 7 and 300
        0x02, 0x17,  // an update group of 23 bytes
        0x00, 0x01,  // entity 0, one row
        0x00, 0x01, 0x12, 0x00, 0x06, 0x00,  // the object: all of origin 1, sequence 9, index 3
        0x02, 0x00,  // length 1
        0x01, 0x01,  // one column: views
        0x00, 0x10, 0x00,  // new: 8
        0x00, 0x0e, 0x00,  // old: 7
        0x00, 0x0a, 0x00, 0x00, 0x01,  // the old one's stamp: timestamp 5, of origin 1
    ]

    private static let changes: [Change] = {
        let title = Property("title", .string)
        let views = Property("views", .int)
        func post(_ index: UInt32, _ text: String, _ count: Int64) -> Change {
            .insert(
                object: ObjectID(replica: own, sequence: 1, index: index), entity: "Post",
                values: [PropertyValue(title, .string(text)), PropertyValue(views, .int(count))])
        }
        let stamp = Stamp(timestamp: Timestamp(rawValue: 5), replica: other)
        let update = Change.update(
            object: ObjectID(replica: other, sequence: 9, index: 3), entity: "Post", length: 1,
            assignments: [Assignment(views, new: .int(8), old: .int(7), overwrote: stamp)])
        return [post(0, "Hi", 7), post(1, "You!", 300), update]
    }()

    @Test func goldenBytesAreWritten() throws {
        var parts: [[UInt8]] = []
        let builder = try TransactionBuilder(
            origin: Self.own, sequence: 1, timestamp: Timestamp(milliseconds: 1, counter: 2), author: "me"
        ) { parts.append($0) }
        try RandomTransaction.feed(Self.changes, to: builder)
        _ = try builder.finish()
        #expect(parts == [Self.golden])
    }

    @Test func goldenBytesAreRead() throws {
        var decoder = TransactionDecoder()
        let transaction = try decoder.decode(parts: [PartBytes(Self.golden)], origin: Self.own, sequence: 1)
        #expect(transaction.changes == Self.changes)
        #expect(transaction.header.author == "me")
        #expect(transaction.header.timestamp == Timestamp(milliseconds: 1, counter: 2))
    }

    @Test func aPartInsideOtherBytesIsReadInPlace() throws {
        let bytes = [1, 2, 3] + Self.golden + [9, 9]
        var decoder = TransactionDecoder()
        let part = PartBytes(bytes, 3..<3 + Self.golden.count)
        #expect(try decoder.decode(parts: [part], origin: Self.own, sequence: 1).changes == Self.changes)
    }

    @Test func tablesAreReusedOnlyForEqualBytes() throws {
        var decoder = TransactionDecoder()
        for seed in 0..<20 as Range<UInt64> {
            // The second of each pair has the tables of the first, the next pair others.
            let made = RandomTransaction(seed: seed / 2, count: 40)
            let (parts, _) = try encode(made.changes, origin: made.origin, sequence: made.sequence)
            var fresh = TransactionDecoder()
            let expected = try fresh.decode(parts: parts, origin: made.origin, sequence: made.sequence)
            #expect(try decoder.decode(parts: parts, origin: made.origin, sequence: made.sequence) == expected)
        }
    }

    @Test func anotherOriginDoesNotTakeCachedTables() throws {
        var decoder = TransactionDecoder()
        _ = try decoder.decode(parts: [PartBytes(Self.golden)], origin: Self.own, sequence: 1)
        let third = ReplicaID(Digest128(high: 33, low: 3))
        let moved = try decoder.decode(parts: [PartBytes(Self.golden)], origin: third, sequence: 4)
        #expect(moved.changes[0].object == ObjectID(replica: third, sequence: 4, index: 0))
    }

    /// The golden part lists this origin under a number of its own, and so must not be its own transaction.
    @Test func anOriginIsListedOnce() throws {
        var decoder = TransactionDecoder()
        #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes(Self.golden)], origin: Self.other, sequence: 4)
        }
    }

    /// Beside what only a newer version can read stand blobs that every version can.
    @Test func blobsBesideUnknownChangesAreListed() throws {
        let blobs = (0..<2 as Range<UInt64>).map {
            BlobReference(id: BlobID(high: Digest128(high: $0, low: 1), low: Digest128(high: 2, low: 3)), length: 100_000)
        }
        func part(_ blobs: [BlobReference]) throws -> [UInt8] {
            var bytes: [UInt8] = []
            let builder = try TransactionBuilder(origin: Self.own, sequence: 1, timestamp: Timestamp(rawValue: 9), author: "") {
                bytes = $0
            }
            for blob in blobs { _ = try builder.insert("Picture", [PropertyValue(Property("data", .blob), .blob(blob))]) }
            _ = try builder.finish()
            return bytes
        }
        let (first, second) = (try part([blobs[0]]), try part([blobs[1]]))
        // The groups stand behind flags, timestamp, author and context, and tables of an entity and a column.
        let start = 1 + 8 + 1 + 1 + 1 + (1 + 8) + (1 + 1 + 5 + 1)
        #expect(first[start] == 1 && second[start] == 1)
        let unknown: [UInt8] = [0x55, 2, 1, 1]
        let newer = PartBytes(first[..<start] + unknown + first[start...] + unknown + second[start...])
        var decoder = TransactionDecoder()
        #expect(
            #expect(throws: StorageError.self) {
                try decoder.decode(parts: [newer], origin: Self.own, sequence: 1)
            }?.code == .newerVersion)
        #expect(try decoder.blobs(of: newer, origin: Self.own, sequence: 1).map(\.id) == blobs.map(\.id))
        let damaged = PartBytes(first + [1, 0])
        #expect(throws: StorageError.self) { try decoder.blobs(of: damaged, origin: Self.own, sequence: 1) }
    }

    @Test func contextAndVoidComeBack() throws {
        let context = [
            ContextEntry(origin: Self.other, sequence: 300, chain: Digest128(high: 5, low: 6)),
            ContextEntry(origin: ReplicaID(Digest128(high: .max, low: 0)), sequence: 1, chain: .zero),
        ]
        var parts: [PartBytes] = []
        let builder = try TransactionBuilder(
            origin: Self.own, sequence: 8, timestamp: Timestamp(rawValue: 9), context: context, isVoid: true
        ) { parts.append(PartBytes($0)) }
        #expect(try builder.finish().changes == 0)
        let header = try TransactionDecoder.header(
            of: parts[0], origin: Self.own, sequence: 8, previousChain: Digest128(high: 0, low: 1),
            chain: Digest128(high: 0, low: 2))
        #expect(header.isVoid)
        #expect(header.context == context)
        #expect(header.previousChain == Digest128(high: 0, low: 1))
        #expect(header.chain == Digest128(high: 0, low: 2))
        var decoder = TransactionDecoder()
        #expect(try decoder.decode(parts: parts, origin: Self.own, sequence: 8).changes.isEmpty)
    }

    @Test func aVoidTransactionHasNoChanges() {
        var bytes = Self.golden
        bytes[0] = 1
        var decoder = TransactionDecoder()
        let error = #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes(bytes)], origin: Self.own, sequence: 1)
        }
        #expect(error?.code == .malformed)
    }

    @Test func aFurtherPartDoesNotBegin() {
        var decoder = TransactionDecoder()
        let error = #expect(throws: StorageError.self) {
            try decoder.decode(parts: [PartBytes([2, 0, 0, 0])], origin: Self.own, sequence: 1)
        }
        #expect(error?.code == .malformed)
    }

    @Test func unknownFlagsNeedANewerVersion() {
        var bytes = Self.golden
        bytes[0] = 4
        let error = #expect(throws: StorageError.self) {
            try TransactionDecoder.header(of: PartBytes(bytes), origin: Self.own, sequence: 1)
        }
        #expect(error?.code == .newerVersion)
    }
}
