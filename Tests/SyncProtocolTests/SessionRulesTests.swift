import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// What a session does with a peer that keeps no rules, or says nothing.
@Suite struct SessionRulesTests {
    private static let dataset = DatasetID(Digest128(high: 1, low: 2))

    private static let offer = BaselineOffer.Stretch(identity: .zero, bodies: 1, first: 0, digests: [.zero])
    private static let piece = BaselinePiece(
        identity: .zero, body: 0, isCompressed: false, logicalSize: 3, storedSize: 3, offset: 0, bytes: [1, 2, 3])

    private func configuration(_ nonce: UInt64 = 1) -> SessionConfiguration {
        SessionConfiguration(
            dataset: Self.dataset, replica: ReplicaID(Digest128(high: 0, low: nonce)), name: "test", isLive: true,
            blobs: .none, nonce: nonce, wallClock: 0)
    }

    private func hello(nonce: UInt64 = 2, _ change: (inout Hello) -> Void = { _ in }) -> Message {
        var hello = Hello(
            dataset: Self.dataset, replica: ReplicaID(Digest128(high: 0, low: nonce)), nonce: nonce, clock: 0, wishes: [.live],
            credit: 1 << 20, name: "peer")
        change(&hello)
        return .hello(hello)
    }

    private func bytes(_ messages: [Message], preface: Bool = true) -> ArraySlice<UInt8> {
        var writer = ByteWriter()
        if preface { writer.raw(WireFormat.preface) }
        for message in messages { message.append(to: &writer) }
        return writer.bytes[...]
    }

    private func refusal(_ session: Session) -> Refusal.Code? {
        guard case .refused(let refusal) = session.end else { return nil }
        return refusal.code
    }

    @Test func greetingsThatDoNotFitAreRefusedWithTheReason() {
        let cases: [(Message, Refusal.Code)] = [
            (hello { $0.versions = 7...9 }, .version), (hello { $0.required = Hello.Features(rawValue: 1) }, .version),
            (hello { $0.dataset = DatasetID(Digest128(high: 9, low: 9)) }, .dataset), (hello(nonce: 1), .itself),
            (hello { $0.credit = 0 }, .protocolBroken), (.ping(1), .protocolBroken),
        ]
        for (message, code) in cases {
            var session = Session(configuration(), tips: [], now: 0)
            session.handle(.received(bytes([message])), now: 1)
            #expect(refusal(session) == code)
            #expect(session.hasOutput, "the peer hears of it")
        }
    }

    @Test func messagesOutOfTheirOrderAreRefused() {
        let tip = Tip(origin: ReplicaID(Digest128(high: 5, low: 5)), position: BranchPosition(sequence: 1, chain: .zero))
        let blob = BlobID(high: .zero, low: .zero)
        let broken: [[Message]] = [
            [hello()], [.tips([tip], round: 2, isLast: true)], [.want([], round: 5, isLast: true)], [.served(round: 1)],
            [.acknowledgement(frames: 1, [])], [.blobChunk(blob, index: 0, [1])], [.blobMissing(blob)],
            [.tips([], round: 1, isLast: true), .tips([], round: 2, isLast: true)],
            Array(repeating: .credit(.max), count: 2), [.baselineWant(.zero, from: 0)], [.baselinePiece(Self.piece)],
            [.tips([tip], round: 1, isLast: true), .baselineOffer(Self.offer, round: 2, isLast: true)],
            Array(repeating: .blobWant(BlobRange(id: blob, length: 9, chunks: 0..<1, wantsHashes: true)), count: 5),
            [.blobWant(BlobRange(id: blob, length: 9, chunks: 1..<2, wantsHashes: false))],
            [.blobWant(BlobRange(id: blob, length: 1 << 40, chunks: 0..<(1 << 40), wantsHashes: false))],
            [.blobHashes(blob, first: 0, [UInt8](repeating: 1, count: 32)[...])],
            Array(repeating: .blobsLeaving(number: 1, [BlobReference(id: blob, length: 9)]), count: 5),
            [
                .blobsLeaving(
                    number: 1, Array(repeating: BlobReference(id: blob, length: 9), count: WireFormat.mostLeaving + 1))
            ],
        ]
        for messages in broken {
            var session = Session(configuration(), tips: [], now: 0)
            session.handle(.received(bytes([hello()])), now: 1)
            session.handle(.received(bytes(messages, preface: false)), now: 2)
            #expect(refusal(session) == .protocolBroken, "\(messages)")
        }
    }

    @Test func moreThanTheCreditIsRefused() {
        var session = Session(configuration(), tips: [], now: 0)
        session.handle(.received(bytes([hello()])), now: 1)
        let frame = PackedFrame(Frame(.batch, body: SeededRandom(seed: 1).bytes(900_000), transactions: 1))
        var sent = 0
        while session.end == nil, sent < 20 {
            session.handle(.received(bytes([.batch(frame)], preface: false)), now: 2)
            _ = session.takeEffects()
            sent += 1
        }
        #expect(refusal(session) == .protocolBroken)
        #expect(sent > 4 && sent < 8, "a window of 4 MiB and a message")
    }

    @Test func silenceEndsASession() {
        var session = Session(configuration(), tips: [], now: 0)
        session.handle(.tick, now: 9_999)
        #expect(session.end == nil)
        session.handle(.tick, now: 10_000)
        #expect(refusal(session) == .timedOut)

        session = Session(configuration(), tips: [], now: 0)
        session.handle(.received(bytes([hello()])), now: 1_000)
        _ = session.takeOutput()
        session.handle(.tick, now: 20_999)
        #expect(!session.hasOutput)
        session.handle(.tick, now: 21_000)
        #expect(session.hasOutput, "a ping")
        session.handle(.tick, now: 61_000)
        #expect(refusal(session) == .timedOut)
    }

    /// One byte a second is a sign of life, and no progress.
    @Test func aMessageThatTakesForEverEndsASession() {
        var session = Session(configuration(), tips: [], now: 0)
        session.handle(.received(bytes([hello()])), now: 0)
        let slow = Array(
            bytes(
                [.batch(PackedFrame(Frame(.batch, body: SeededRandom(seed: 1).bytes(5_000), transactions: 1)))], preface: false)
        )
        var now: UInt64 = 0
        while session.end == nil, Int(now / 1_000) < slow.count {
            session.handle(.received(slow[Int(now / 1_000)..<Int(now / 1_000) + 1]), now: now)
            now += 1_000
        }
        #expect(refusal(session) == .timedOut)
        #expect(now <= 62_000)
    }

    /// Whatever comes, it neither traps nor keeps more than a message.
    @Test(arguments: 0..<200) func noiseIsRefused(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var session = Session(configuration(), tips: [], now: 0)
        var stream = Array(bytes([hello()]))
        for message in MessageTests.samples(seed: seed).shuffled(using: &random).prefix(6) {
            stream += bytes([message], preface: false)
        }
        for _ in 0..<Int(random.next() % 4) {
            stream[Int(random.next() % UInt64(stream.count))] ^= UInt8(1 + random.next() % 255)
        }
        var position = 0
        while position < stream.count, session.end == nil {
            let piece = min(stream.count - position, 1 + Int(random.next() % 3_000))
            session.handle(.received(stream[position..<position + piece]), now: 1)
            _ = session.takeEffects()
            position += piece
        }
        session.handle(.ended, now: 2)
        #expect(session.end != nil)
    }
}
