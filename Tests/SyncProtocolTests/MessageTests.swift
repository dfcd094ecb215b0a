import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Messages of every kind, there and back, and bytes that are none.
@Suite struct MessageTests {
    private static func chain(_ random: inout SplitMix64) -> Digest128 { Digest128(high: random.next(), low: random.next()) }

    private static func tip(_ random: inout SplitMix64) -> Tip {
        Tip(
            origin: ReplicaID(chain(&random)),
            position: BranchPosition(sequence: 1 + random.next() % (1 << 40), chain: chain(&random)))
    }

    private static func blob(_ random: inout SplitMix64) -> BlobID { BlobID(high: chain(&random), low: chain(&random)) }

    static func samples(seed: UInt64) -> [Message] {
        var random = SplitMix64(seed: seed)
        let count = Int(random.next() % 5)
        var hello = Hello(
            dataset: DatasetID(chain(&random)), replica: ReplicaID(chain(&random)), nonce: random.next(), clock: random.next(),
            wishes: [.live, .blobs], credit: UInt32(truncatingIfNeeded: random.next()), name: "Adas Rechner")
        hello.required = Hello.Features(rawValue: random.next())
        let tips = (0..<count).map { _ in tip(&random) }
        let want = Want(tip: tip(&random), locators: tips.map(\.position))
        let body = [UInt8](repeating: 7, count: 2_000) + SeededRandom(seed: seed).bytes(100)
        let length = 5 * UInt64(BlobFormat.chunkSize) + 3
        return [
            .hello(hello), .refusal(Refusal(.dataset, "no")), .tips(tips, round: 7, isLast: count > 2),
            .want(tips.isEmpty ? [] : [want], round: 9, isLast: true),
            .batch(PackedFrame(Frame(.batch, body: body, transactions: 3))), .part(PackedFrame(Frame(.part, body: body))),
            .served(round: 3), .acknowledgement(frames: random.next() >> 3, tips), .imported(round: 1, frames: 300),
            .credit(17), .ping(random.next()), .pong(random.next()), .farewell,
            .blobWant(BlobRange(id: blob(&random), length: length, chunks: 1..<6, wantsHashes: true)),
            .blobHashes(blob(&random), first: 2, SeededRandom(seed: seed).bytes(64)[...]),
            .blobChunk(blob(&random), index: 4, body[...]), .blobMissing(blob(&random)), .blobsHere([blob(&random)]),
            .baselineOffer(
                BaselineOffer.Stretch(identity: chain(&random), bodies: 9, first: 3, digests: [chain(&random)]), round: 4,
                isLast: false),
            .baselineWant(chain(&random), from: 300),
            .baselinePiece(
                BaselinePiece(
                    identity: chain(&random), body: 2, isCompressed: true, logicalSize: 9_000, storedSize: 3_000, offset: 200,
                    bytes: body[...])),
            .blobsLeaving(number: 7, [BlobReference(id: blob(&random), length: 1 << 40)]),
            .blobsKept(number: 7, [blob(&random), blob(&random)]), .blobsGone([blob(&random)]),
        ]
    }

    private func wire(_ messages: [Message]) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(WireFormat.preface)
        for message in messages { message.append(to: &writer) }
        return writer.bytes
    }

    @Test(arguments: 0..<20) func everyKindComesBack(seed: UInt64) throws {
        let messages = Self.samples(seed: seed)
        var random = SplitMix64(seed: seed)
        let bytes = wire(messages)
        var reader = MessageReader()
        reader.limit = WireFormat.maximumPayload
        var found: [Message] = []
        var position = 0
        while position < bytes.count {
            let piece = min(bytes.count - position, 1 + Int(random.next() % 400))
            reader.append(bytes[position..<position + piece])
            position += piece
            while let next = try reader.next() { found.append(next.message) }
        }
        #expect(found == messages)
        #expect(!reader.isWaiting)
    }

    /// Whatever is changed on the way is noticed, and never more is taken than the limit.
    @Test func aFlippedBitIsNoticed() throws {
        let messages = Self.samples(seed: 3)
        let bytes = wire(messages)
        for position in stride(from: 0, to: bytes.count, by: 3) {
            var broken = bytes
            broken[position] ^= 1 << UInt8(position % 8)
            var reader = MessageReader()
            reader.limit = WireFormat.maximumPayload
            reader.append(broken[...])
            var count = 0
            var isRefused = false
            do {
                while try reader.next() != nil { count += 1 }
            } catch {
                isRefused = true
            }
            // A length that grew waits for bytes that do not come.
            let isNoticed = isRefused || (reader.isWaiting && count < messages.count)
            #expect(isNoticed, "byte \(position)")
        }
    }

    @Test func aLyingLengthIsRefusedBeforeItsBytesCome() throws {
        var writer = ByteWriter()
        writer.raw(WireFormat.preface)
        writer.u32(1 << 30)
        writer.u8(1)
        writer.zeros(11)
        var reader = MessageReader()
        reader.append(writer.bytes[...])
        #expect(throws: Refusal.self) { try reader.next() }
    }

    /// A few bytes that claim to be a gigabyte, or more than LZ4 can have made small.
    @Test func aBombIsRefused() throws {
        for claimed in [UInt64(1 << 30), 70_000, 0] {
            var writer = ByteWriter()
            writer.raw(WireFormat.preface)
            var payload = ByteWriter()
            payload.u8(1)
            payload.varint(1)
            payload.varint(claimed)
            payload.zeros(200)
            writer.u32(UInt32(payload.count))
            writer.u8(5)
            writer.zeros(3)
            writer.u64(Checksum.xxh3(payload.bytes.span, seed: UInt64(payload.count) | 5 << 32))
            writer.raw(payload.bytes)
            var reader = MessageReader()
            reader.limit = WireFormat.maximumPayload
            reader.append(writer.bytes[...])
            #expect(throws: Refusal.self) { try reader.next() }
        }
    }

    @Test func anotherProtocolIsRefusedAtOnce() throws {
        var reader = MessageReader()
        reader.append(Array("GET / HTTP/1.1\r\n".utf8)[...])
        let refusal = #expect(throws: Refusal.self) { try reader.next() }
        #expect(refusal?.code == .protocolBroken)
    }
}
