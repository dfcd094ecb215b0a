import EventLog
import Storage
import SyncProtocol

/// Feeds arbitrary bytes to a session of a replica that answers from its log: from the first byte, or behind a greeting that is right, in
/// pieces, with time going by.
///
/// Nothing of them may be stored as a transaction, what is to be sent stays bounded, and the session ends by itself or waits.
private let scene = Scene()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let kind = input.first else { return 0 }
    scene.talk(Array(input.dropFirst()), isGreeted: kind & 1 != 0, isLive: kind & 2 != 0, piece: Int(kind >> 2) + 1)
    return 0
}

private struct Scene {
    private let log: EventLog
    private let blobs: BlobStore
    private let greetings: [[UInt8]]

    init() {
        let environment = Environment.inMemory()
        do {
            log = try EventLog.create(at: "/store", in: environment)
            for number in 0..<3 as Range<Int64> {
                let open = try log.begin()
                let builder = try TransactionBuilder(
                    origin: open.header.origin, sequence: open.header.sequence, timestamp: open.header.timestamp,
                    sink: { try open.add(part: $0) })
                try builder.insert("Post", [PropertyValue(Property("views", .int), .int(number))])
                _ = try builder.finish()
                _ = try log.finish(open)
                try log.flush()
            }
            blobs = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
            let dataset = log.dataset
            greetings = [false, true].map { isLive in
                var peer = Session(
                    SessionConfiguration(
                        dataset: dataset, replica: ReplicaID(Digest128(high: 7, low: 8)), name: "peer", isLive: isLive,
                        blobs: .eager, nonce: 5, wallClock: 1_767_225_600_000), tips: [], now: 0)
                return peer.takeOutput()
            }
        } catch {
            preconditionFailure("there is no scene: \(error)")
        }
    }

    func talk(_ bytes: [UInt8], isGreeted: Bool, isLive: Bool, piece: Int) {
        var configuration = SessionConfiguration(
            dataset: log.dataset, replica: log.replica, name: "store", isLive: isLive, blobs: .eager, nonce: 3,
            wallClock: 1_767_225_600_000)
        configuration.window = 64 << 10
        configuration.outputLimit = 64 << 10
        let transfers = BlobTransfers(blobs) { _, _ in }
        var link = PeerLink(configuration, log: log, blobs: transfers.exchange(with: 1), now: 0)
        var inbox = Inbox(log, blobs, policy: .eager)
        let before = log.durableState.position.lastLSN
        var now: UInt64 = 0
        var sent = 0
        func settle() {
            let output = link.takeOutput()
            sent += output.count
            precondition(output.count < 4 << 20, "\(output.count) bytes to be sent at once")
            let waiting = link.takeWaiting()
            guard !waiting.isEmpty else { return }
            do {
                for answer in try inbox.store(waiting, transfers.exchange(with: 1), in: { try $0() }) {
                    link.handle(answer, now: now)
                }
            } catch {
                link.fail(error, as: Refusal(storing: error), now: now)
            }
        }
        settle()
        if isGreeted { link.handle(.received(greetings[isLive ? 1 : 0][...]), now: now) }
        var rest = bytes[...]
        while !rest.isEmpty, link.session.end == nil {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(piece)
            now += 1
            link.handle(.received(part), now: now)
            settle()
        }
        now += 120_000
        link.handle(.tick, now: now)
        settle()
        link.handle(.ended, now: now)
        precondition(link.session.end != nil, "a session goes on without its peer")
        precondition(log.durableState.position.lastLSN == before, "a forgery was taken")
        inbox.discard()
    }
}
