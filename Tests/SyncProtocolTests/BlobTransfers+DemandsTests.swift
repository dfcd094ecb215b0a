import EventLog
import Simulation
import Storage
import SyncProtocol
import Synchronization
import Testing

/// What peers may say of blobs, and what it costs this side.
@Suite struct BlobTransfersDemandsTests {
    private let store: BlobStore
    private let files: any FileSystem
    private let content: [UInt8]
    private let blob: BlobReference
    private let hashes: [UInt8]

    init() throws {
        let replica = try TestReplica(2, over: try TestReplica.sharedDisk())
        store = replica.blobs
        files = replica.environment.fileSystem
        let bytes = SeededRandom(seed: 5).bytes(1_300_000)
        content = bytes
        blob = BlobReference(id: BlobHasher.hash(bytes.span), length: UInt64(bytes.count))
        hashes = stride(from: 0, to: bytes.count, by: BlobFormat.chunkSize).flatMap {
            SHA256.hash(bytes[$0..<min($0 + BlobFormat.chunkSize, bytes.count)].span)
        }
    }

    private func chunk(_ index: Int) -> ArraySlice<UInt8> {
        content[index * BlobFormat.chunkSize..<min((index + 1) * BlobFormat.chunkSize, content.count)]
    }

    private func deliver(to exchange: any BlobExchange) throws -> [BlobID] {
        _ = try exchange.store(.blobHashes(blob.id, first: 0, hashes[...]))
        return try (0..<3).flatMap { try exchange.store(.blobChunk(blob.id, index: UInt64($0), chunk($0))) }
    }

    /// One peer lies; the other one, who has the same blob, is not disturbed.
    @Test func aPeerThatLiesIsPassedOver() throws {
        let transfers = BlobTransfers(store)
        let (liar, honest) = (transfers.exchange(with: 1), transfers.exchange(with: 2))
        transfers.want([blob])
        #expect(try liar.choose(4).map(\.wantsHashes) == [true])
        #expect(try honest.choose(4).isEmpty, "the hashes come from one")
        #expect(try liar.store(.blobHashes(blob.id, first: 0, [UInt8](repeating: 1, count: 96)[...])) == [])
        #expect(try liar.choose(4).isEmpty, "it is not asked for this blob again")
        #expect(try honest.choose(4).map(\.wantsHashes) == [true])
        #expect(try deliver(to: honest) == [blob.id])
        #expect(transfers.wantedCount == 0)

        // A chunk that is not the one: what the peer has is damaged.
        try store.evict(blob.id, isPromised: false, force: true)
        transfers.want([blob])
        #expect(try liar.choose(4).count == 1)
        _ = try liar.store(.blobHashes(blob.id, first: 0, hashes[...]))
        var wrong = Array(chunk(0))
        wrong[7] ^= 1
        #expect(try liar.store(.blobChunk(blob.id, index: 0, wrong[...])) == [])
        #expect(try liar.choose(4).isEmpty)
        #expect(try honest.choose(4).count == 1)
        #expect(try deliver(to: honest) == [blob.id])
        let reader = try store.open(blob.id)
        try reader.verify()
        reader.close()
    }

    @Test func whatNobodyAskedForIsNotKept() throws {
        let transfers = BlobTransfers(store)
        #expect(try deliver(to: transfers.exchange(with: 1)) == [])
        #expect(try files.attributes(of: "/store/arriving") == nil)
        transfers.want([BlobReference(id: blob.id, length: .max), BlobReference(id: blob.id, length: 0)])
        #expect(transfers.wantedCount == 0)
    }

    /// Whatever transactions name, a bounded number is remembered, and of what a peer lacks no file stays open or behind.
    @Test func thousandsOfBlobsThatNobodyHas() throws {
        let transfers = BlobTransfers(store)
        let exchange = transfers.exchange(with: 1)
        let names = (0..<UInt64(BlobTransfers.mostWanted) + 10).map { number in
            BlobReference(id: BlobID(high: Digest128(high: number, low: 1), low: .zero), length: 1 << 20)
        }
        transfers.want(names)
        #expect(transfers.wantedCount == BlobTransfers.mostWanted)
        #expect(!transfers.takeOverflow(), "there is no room yet")
        var asked = 0
        while asked < 3_000 {
            let ranges = try exchange.choose(4)
            #expect(ranges.count == 4)
            asked += ranges.count
            for range in ranges { exchange.miss(range.id) }
        }
        #expect(try files.list("/store/arriving").isEmpty)
        // Without an answer no more are opened than a few.
        var open = 0
        for number in 2..<200 { open += try transfers.exchange(with: number).choose(1).count }
        #expect(open == 64)
        for number in 1..<200 { transfers.exchange(with: number).end() }
        #expect(try files.list("/store/arriving").isEmpty)
    }

    /// Only what was asked for comes from a peer of whom not everything is taken; the most urgent first.
    @Test func policiesAndPriorities() throws {
        let transfers = BlobTransfers(store)
        let (eager, lazy, none) = (
            transfers.exchange(with: 1), transfers.exchange(with: 2, .onDemand), transfers.exchange(with: 3, .none)
        )
        let others = (1...3).map { BlobReference(id: BlobID(high: Digest128(high: $0, low: 1), low: .zero), length: 600_000) }
        transfers.want([others[0]])
        #expect(try lazy.choose(4).isEmpty && none.choose(4).isEmpty)
        let ends = Mutex<[BlobShortage?]>([])
        func ask(_ blob: BlobReference, _ priority: Int) -> Int? {
            transfers.demand(BlobDemand(blob, priority: priority) { end in ends.withLock { $0.append(end) } })
        }
        let numbers = [ask(others[1], 0), ask(others[2], 9), ask(others[1], 3)].compactMap { $0 }
        #expect(try none.choose(4).isEmpty)
        #expect(try lazy.choose(4).map(\.id) == [others[2].id, others[1].id])
        #expect(try eager.choose(4).map(\.id) == [others[0].id], "the others are on their way")
        lazy.miss(others[1].id)
        #expect(try eager.choose(4).map(\.id) == [others[1].id])
        // One of two gives up, and the blob stays wanted; then the other one does.
        lazy.meet(ReplicaID(Digest128(high: 1, low: 1)))
        eager.meet(ReplicaID(Digest128(high: 2, low: 2)))
        transfers.withdraw(numbers[0], isCancelled: true)
        #expect(transfers.wantedCount == 3)
        eager.miss(others[1].id)
        transfers.withdraw(numbers[2])
        transfers.withdraw(numbers[2])
        transfers.withdraw(numbers[1])
        #expect(ends.withLock { $0 } == [.cancelled, .nobodyHasIt(peers: 2), .tooSlow])
        #expect(transfers.wantedCount == 1)
        let sessions = [eager, lazy, none]
        for session in sessions { session.end() }
        _ = ask(blob, 0)
        let late = transfers.exchange(with: 9, .onDemand)
        #expect(try late.choose(4).map(\.id) == [blob.id])
        #expect(try deliver(to: late) == [blob.id])
        #expect(ends.withLock { $0.last } == .some(nil))
    }

    /// A promise counts once, for its question, while that is asked.
    @Test func promisesOfAQuestion() throws {
        let transfers = BlobTransfers(store)
        let (one, two) = (transfers.exchange(with: 1), transfers.exchange(with: 2))
        let question = transfers.question([blob])
        question.ask([1, 2])
        one.note(.kept(number: question.number &+ 1, [blob.id]))
        two.end()
        one.note(.kept(number: question.number, []))
        one.note(.kept(number: question.number, [blob.id]))
        let answer = question.wait(milliseconds: 0)
        #expect(answer.promised.isEmpty && answer.asked == 2 && answer.silent == 0)
        let again = transfers.question([blob])
        again.ask([1])
        one.note(.kept(number: again.number, [blob.id, BlobID(high: .zero, low: .zero)]))
        #expect(again.wait(milliseconds: 0).promised == [blob.id])
        let late = transfers.question([blob])
        late.ask([1])
        #expect(late.wait(milliseconds: 0).silent == 1)
        one.note(.kept(number: late.number, [blob.id]))
        #expect(late.wait(milliseconds: 0).promised.isEmpty)
    }
}
