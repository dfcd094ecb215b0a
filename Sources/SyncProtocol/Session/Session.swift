// Invariants
// * A value without I/O, time or chance: the same inputs give the same bytes and effects.
// * Nothing is sent or asked for after `end` is set, but what is in the output then goes out first.
// * Bulk messages are sent only within the peer's credit, and a batch is acknowledged only when it is durable here.

import EventLog
import Storage

/// One conversation between two replicas: SPEC.md, section 13.
///
/// Bytes and answers go in, bytes and questions come out; whoever runs it asks the log and moves the bytes.
///
/// ```swift
/// var session = Session(configuration, tips: log.durableState.branches.tips, now: clock)
/// session.handle(.received(bytes), now: clock)
/// for effect in session.takeEffects() { … }
/// send(session.takeOutput())
/// ```
package struct Session {
    package let configuration: SessionConfiguration
    /// What the peer says of itself, once it has.
    package private(set) var peer: Hello?
    package private(set) var end: SessionEnd?
    package internal(set) var progress = SessionProgress()

    private var reader = MessageReader()
    private var output = ByteWriter()
    private var effects: [SessionEffect] = []
    private var liveness: Liveness
    private var tips: [Tip]
    var sending = SendingFlow()
    var receiving: ReceivingFlow
    var blobs = BlobFlow()
    private var baselines = BaselineFlow()
    private var hasSaidFarewell = false
    private var isFarewellDue = false

    package init(_ configuration: SessionConfiguration, tips: [Tip], now: UInt64) {
        self.configuration = configuration
        self.tips = tips
        liveness = Liveness(configuration, now: now)
        receiving = ReceivingFlow(window: configuration.window)
        output.raw(WireFormat.preface)
        var wishes: Hello.Wishes = []
        if configuration.isLive { wishes.insert(.live) }
        if configuration.blobs == .eager { wishes.insert(.blobs) }
        send(
            .hello(
                Hello(
                    dataset: configuration.dataset, replica: configuration.replica, nonce: configuration.nonce,
                    clock: configuration.wallClock, wishes: wishes, credit: UInt32(clamping: configuration.window),
                    name: configuration.name)))
    }

    /// Takes note of something that happened.
    ///
    /// - Parameter now: milliseconds of a clock that never goes back.
    package mutating func handle(_ input: SessionInput, now: UInt64) {
        guard end == nil else { return }
        do throws(Refusal) {
            try take(input, now: now)
            try checkTime(now)
            if peer != nil { advance() }
        } catch {
            refuse(error)
        }
    }

    /// The bytes that are to be sent now.
    package mutating func takeOutput() -> [UInt8] {
        guard output.count > 0 else { return [] }
        defer { output = ByteWriter() }
        return output.bytes
    }

    /// Whether bytes are to be sent.
    package var hasOutput: Bool { output.count > 0 }

    /// What is asked since the last time.
    package mutating func takeEffects() -> [SessionEffect] {
        defer { effects = [] }
        return effects
    }

    /// Whether this side has received everything that the peer told it of, durably, blobs included if they are wanted.
    package var hasImported: Bool { receiving.isSettled && (configuration.blobs == .none || blobs.isSettled) }

    /// Whether the peer has everything that this side has, durably, and the blobs it asked for.
    package var hasExported: Bool { sending.round > 0 && sending.isSettled && tipsAreTold }

    /// Origins of which something is on its way here.
    private var arriving: Set<ReplicaID> {
        guard let peer, receiving.storedFrames < receiving.frames else { return [] }
        return receiving.wantedOrigins.union([peer.replica])
    }

    private var tipsAreTold: Bool { peer.map { _ in sending.isTold(tips, own: configuration.replica) } ?? false }
}

// What happens.
extension Session {
    private mutating func take(_ input: SessionInput, now: UInt64) throws(Refusal) {
        switch input {
        case .received(let bytes):
            liveness.heard(at: now)
            progress.bytesReceived += UInt64(bytes.count)
            reader.append(bytes)
            try readMessages(now)
        case .ended: end = hasSaidFarewell ? .complete : .interrupted
        case .tick:
            blobs.mustLook = configuration.blobs != .none
            baselines.tick(now)
        case .tips(let tips):
            self.tips = tips
            if sending.isFollowed { sending.hasMore = true }
        case .wants(let wants, let round):
            receiving.wanted(round, wants)
            for (part, isLast) in wants.messages { send(.want(part, round: round, isLast: isLast)) }
        case .serving(let round, let offers): try takeServing(round, offers)
        case .outgoing(let outgoing): takeOutgoing(outgoing)
        case .stored(let stored): takeStored(stored)
        case .refused(let refusal): throw refusal
        case .blobRequests(let ranges):
            blobs.isChoosing = false
            blobs.mustLook = false
            blobs.mayLack = !ranges.isEmpty
            for range in ranges {
                blobs.ask(range)
                send(.blobWant(range))
            }
        case .blobContent(let messages, let rest):
            blobs.isReading = false
            blobs.served(rest: rest)
            for message in messages {
                if case .blobChunk(_, _, let bytes) = message { progress.blobBytesSent += UInt64(bytes.count) }
                sending.credit -= send(message)
            }
        case .blobStored(let bulk, let complete):
            blobs.stored()
            blobs.mayLack = true
            grant(receiving.release(bulk))
            progress.blobsReceived += complete.count
            if !complete.isEmpty { send(.blobsHere(complete)) }
        case .baselinePrepared, .baselineStored, .baselineContent: takeBaselines(input, now: now)
        case .askToKeep(let number, let leaving): send(.blobsLeaving(number: number, leaving))
        case .blobsKept(let number, let kept):
            blobs.keeping -= 1
            send(.blobsKept(number: number, kept))
        case .blobsGone(let gone): send(.blobsGone(gone))
        case .close: farewell(.closed)
        }
    }

    /// A round can be served, or baselines must come first.
    private mutating func takeServing(_ round: UInt32, _ offers: [BaselineOffer]) throws(Refusal) {
        guard !offers.isEmpty else {
            sending.answered(round)
            if round == 1 { effects.append(.follow(after: sending.ownTip)) }
            return
        }
        baselines.offer(offers)
        let stretches = offers.flatMap(\.stretches)
        for (index, stretch) in stretches.enumerated() {
            send(.baselineOffer(stretch, round: round, isLast: index == stretches.count - 1))
        }
    }

    private mutating func takeBaselines(_ input: SessionInput, now: UInt64) {
        var isDone = false
        switch input {
        case .baselinePrepared(let readiness):
            let (ask, done) = baselines.prepared(readiness, now: now)
            if let (identity, body) = ask { send(.baselineWant(identity, from: body)) }
            isDone = done
        case .baselineStored(let bulk, let isJoined):
            isDone = baselines.stored(isJoined: isJoined)
            if isJoined { progress.baselinesReceived += 1 }
            if isJoined, configuration.blobs != .none { blobs.mayLack = true }
            grant(receiving.release(bulk))
        case .baselineContent(let pieces, let next):
            baselines.isReading = false
            baselines.served(next: next)
            for piece in pieces {
                progress.baselineBytesSent += UInt64(piece.bytes.count)
                sending.credit -= send(.baselinePiece(piece))
            }
        default: break
        }
        // What the round is about may be here by now, or can be told by a position that is.
        if isDone { effects.append(.compare(receiving.tips, round: receiving.round)) }
    }

    private mutating func checkTime(_ now: UInt64) throws(Refusal) {
        if end != nil { return }
        if let failure = liveness.failure(at: now) { throw failure }
        if liveness.mustPing(at: now) { send(.ping(now)) }
    }

    private mutating func readMessages(_ now: UInt64) throws(Refusal) {
        var isNew = false
        while end == nil, let (message, bulk) = try reader.next() {
            isNew = true
            if bulk > 0 { try receiving.use(bulk) }
            try take(message, bulk: bulk, now: now)
        }
        liveness.note(isIncomplete: reader.isWaiting, isNew: isNew, at: now)
    }

    private mutating func takeOutgoing(_ outgoing: Outgoing) {
        sending.isReading = false
        sending.hasMore = outgoing.hasMore
        var size = 0
        for message in outgoing.messages {
            if case .batch(let frame) = message { progress.transactionBytesSent += UInt64(frame.stored.count) }
            if case .part(let frame) = message { progress.transactionBytesSent += UInt64(frame.stored.count) }
            size += send(message)
        }
        sending.credit -= size
        sending.sent(frames: outgoing.messages.count, served: outgoing.served)
        progress.transactionsSent += outgoing.transactions
        for round in outgoing.served { send(.served(round: round)) }
    }

    private mutating func takeStored(_ stored: StoredFrames) {
        receiving.stored(frames: stored.frames)
        for tip in stored.tips { sending.note(tip) }
        progress.received = progress.received + stored.received
        if stored.lackBlobs, configuration.blobs != .none { blobs.mayLack = true }
        send(.acknowledgement(frames: receiving.storedFrames, stored.tips))
        grant(receiving.release(stored.bulk))
    }

    private mutating func grant(_ bytes: Int) {
        if bytes > 0 { send(.credit(UInt32(bytes))) }
    }
}

// What the peer says.
extension Session {
    private mutating func take(_ message: Message, bulk: Int, now: UInt64) throws(Refusal) {
        guard peer != nil else {
            switch message {
            case .hello(let hello): try greet(hello, now: now)
            case .refusal(let refusal): end = .refusedByPeer(refusal)
            default: throw Refusal(.protocolBroken, "the peer did not introduce itself")
            }
            return
        }
        switch message {
        case .hello: throw Refusal(.protocolBroken, "the peer introduced itself twice")
        case .refusal(let refusal): end = .refusedByPeer(refusal)
        case .tips(let tips, let round, let isLast):
            for tip in tips { sending.note(tip) }
            guard let whole = try receiving.take(tips, round: round, isLast: isLast) else { return }
            effects.append(.compare(whole, round: round))
        case .want(let wants, let round, let isLast):
            try sending.expectAnswer(round)
            guard isLast else { return effects.append(.gather(wants)) }
            effects.append(.serve(wants, round: round, having: baselines.offered))
        case .batch(let frame), .part(let frame):
            receiving.takeFrame()
            progress.transactionBytesReceived += UInt64(frame.stored.count)
            effects.append(.store(frame, isPart: message.kind == .part, bulk: bulk))
        case .served(let round): try receiving.served(round)
        case .acknowledgement(let frames, let tips):
            try sending.acknowledged(frames: frames)
            for tip in tips { sending.note(tip) }
            effects.append(.acknowledged(tips))
        case .imported(let round, let frames): sending.imported(round: round, frames: frames)
        case .credit(let bytes): try takeCredit(bytes)
        case .ping(let number): send(.pong(number))
        case .pong: break
        case .farewell: isFarewellDue = true
        case .baselineOffer(let stretch, let round, let isLast):
            try receiving.expectOffer(round)
            if try baselines.take(stretch, isLast: isLast) { receiving.mustWait() }
        case .baselineWant(let identity, let body): try baselines.serve(identity, from: body)
        case .baselinePiece(let piece):
            try baselines.take(piece)
            progress.baselineBytesReceived += UInt64(piece.bytes.count)
            effects.append(.storeBaseline(piece, bulk: bulk))
        default: try takeBlobs(message, bulk: bulk)
        }
    }

    private mutating func takeBlobs(_ message: Message, bulk: Int) throws(Refusal) {
        switch message {
        case .blobWant(let range): try blobs.serve(range)
        case .blobHashes, .blobChunk:
            try blobs.take(message)
            if case .blobChunk(_, _, let bytes) = message { progress.blobBytesReceived += UInt64(bytes.count) }
            effects.append(.storeBlob(message, bulk: bulk))
        case .blobMissing(let id):
            try blobs.missing(id)
            progress.blobsElsewhere += 1
            effects.append(.missBlob(id))
        case .blobsHere(let ids):
            progress.blobsSent += ids.count
            effects.append(.noteBlobs(.here(ids)))
        case .blobsGone(let ids): effects.append(.noteBlobs(.gone(ids)))
        case .blobsKept(let number, let ids): effects.append(.noteBlobs(.kept(number: number, ids)))
        case .blobsLeaving(let number, let leaving):
            try blobs.keep()
            effects.append(.keepBlobs(number: number, leaving))
        default: break
        }
    }

    private mutating func takeCredit(_ bytes: UInt32) throws(Refusal) {
        sending.credit += Int(bytes)
        guard sending.credit <= 1 << 31 else { throw Refusal(.protocolBroken, "the peer grants credit without end") }
    }

    private mutating func greet(_ hello: Hello, now: UInt64) throws(Refusal) {
        try hello.check(against: configuration)
        peer = hello
        liveness.greeted()
        reader.limit = WireFormat.maximumPayload
        sending.credit = Int(hello.credit)
        blobs.mayLack = configuration.blobs != .none
    }
}

// What follows from it.
extension Session {
    private mutating func advance() {
        guard end == nil else { return }
        if let news = sending.nextRound(of: tips, own: configuration.replica, arriving: arriving) {
            for (part, isLast) in news.messages { send(.tips(part, round: sending.round, isLast: isLast)) }
        }
        let hasRoom = output.count < configuration.outputLimit && sending.credit > 0
        if sending.hasMore, !sending.isReading, hasRoom {
            sending.isReading = true
            effects.append(.read(limit: min(sending.credit, configuration.outputLimit)))
        }
        advanceBaselines(hasRoom: hasRoom)
        if let range = blobs.serving.first, !blobs.isReading, hasRoom, !sending.hasMore {
            blobs.isReading = true
            effects.append(.readBlob(range))
        }
        // Once there is something to name them.
        if blobs.mayLack || blobs.mustLook, !blobs.isChoosing, blobs.room > 0, receiving.round > 0 {
            blobs.isChoosing = true
            effects.append(.chooseBlobs(blobs.room))
        }
        if hasImported, let state = receiving.nextImported() { send(.imported(round: state.round, frames: state.frames)) }
        if isFarewellDue { return farewell(.complete) }
        if !configuration.isLive, hasImported, hasExported { sayFarewell() }
    }

    private mutating func advanceBaselines(hasRoom: Bool) {
        if let (identity, body) = baselines.serving, !baselines.isReading, hasRoom {
            baselines.isReading = true
            effects.append(.readBaseline(identity, body: body))
        }
        if let offer = baselines.nextToPrepare() { effects.append(.prepareBaseline(offer)) }
    }

    /// Tells the peer that this side is done; the peer answers in kind.
    private mutating func sayFarewell() {
        guard !hasSaidFarewell else { return }
        hasSaidFarewell = true
        send(.farewell)
    }

    private mutating func farewell(_ end: SessionEnd) {
        sayFarewell()
        self.end = end
    }

    private mutating func refuse(_ refusal: Refusal) {
        send(.refusal(refusal))
        end = .refused(refusal)
    }

    /// Puts a message into the output; the credit it uses.
    @discardableResult
    private mutating func send(_ message: Message) -> Int {
        let before = output.count
        let bulk = message.append(to: &output)
        progress.bytesSent += UInt64(output.count - before)
        return bulk
    }
}
