// Invariants
// * Connections and listeners belong to the loop's thread; others put commands into `inbox` and wake it.
// * The thread runs from the first command until `stop`, or until there is nothing left to serve.
// * A connection that was added is closed, and its outcome told, exactly once.

import EventLog
import Storage
import SyncProtocol
import Synchronization
import Transports

/// Talks to all peers of a store, from one thread that never waits for any of them.
final class PeerLoop: Sendable {
    /// What a connection is for.
    struct Purpose: Sendable {
        /// Whether to stay when both have everything.
        var isLive: Bool
        /// Which blobs are taken from the peer.
        var blobs = BlobPolicy.eager
        /// Hears how it ended, on the loop's thread.
        var onEnd: @Sendable (ConnectionOutcome) -> Void = { _ in }
        /// Hears how far it has come.
        var onProgress: @Sendable (SessionProgress) -> Void = { _ in }
    }

    private enum Command: Sendable {
        case add(Int, any ByteChannel, Purpose)
        case listen(Int, any ChannelListener, Purpose, onFailure: @Sendable (TransportError) -> Void)
        case drop(Int)
        case stored(Int, Result<[SessionInput], any Error>)
        case logGrew
        /// Somebody asks for blobs: look whether a peer may bring them.
        case lookForBlobs
        case ask(BlobQuestion)
        /// Blobs that are here no longer.
        case withdraw([BlobID])
        case stop
    }

    private struct Control {
        var commands: [Command] = []
        var isRunning = false
        var isStopped = false
        var nextID = 1
    }

    /// Milliseconds between two looks at timers and trust.
    private static let tickInterval: UInt64 = 1_000
    /// Milliseconds between two notes of what a peer that stays has.
    private static let noteInterval: UInt64 = 30_000
    /// Bytes that peers may have under way to this store, all together, and one of them at least.
    private static let totalWindow = 64 << 20
    private static let smallestWindow = 128 << 10

    private let engine: Engine
    private let events: EventHub<SyncEvent>
    private let blobs: BlobTransfers
    private let poller: Poller
    private let control = Mutex(Control())
    /// Advances when the thread has ended after a stop.
    private let ended = WakeSignal()

    init(_ engine: Engine, _ events: EventHub<SyncEvent>, _ blobs: BlobTransfers) throws {
        self.engine = engine
        self.events = events
        self.blobs = blobs
        poller = try Poller()
    }

    /// Begins a session on a channel; its number.
    @discardableResult
    func add(_ channel: any ByteChannel, _ purpose: Purpose) throws -> Int {
        try post { .add($0, channel, purpose) }
    }

    /// Takes connections until it is dropped; its number.
    func listen(
        on listener: any ChannelListener, _ purpose: Purpose, onFailure: @escaping @Sendable (TransportError) -> Void
    ) throws -> Int {
        try post { .listen($0, listener, purpose, onFailure: onFailure) }
    }

    /// Ends a connection or a listener.
    func drop(_ id: Int) { _ = try? post { _ in .drop(id) } }

    /// Has all peers looked at again for blobs that somebody asks for.
    func lookForBlobs() { tell(.lookForBlobs) }

    /// Asks all peers that are connected; without any the question is answered at once.
    func ask(_ question: BlobQuestion) {
        let isRunning = control.withLock { control -> Bool in
            if control.isRunning, !control.isStopped { control.commands.append(.ask(question)) }
            return control.isRunning && !control.isStopped
        }
        if isRunning { poller.wake() } else { question.ask([]) }
    }

    /// Tells all peers of blobs that are here no longer.
    func withdraw(_ blobs: [BlobID]) { tell(.withdraw(blobs)) }

    /// Ends all connections and listeners, and waits for the end.
    func stop() {
        let isRunning = control.withLock { control -> Bool in
            control.isStopped = true
            control.commands.append(.stop)
            return control.isRunning
        }
        poller.wake()
        if isRunning { ended.wait(past: 0) }
    }

    private func post(_ command: (Int) -> Command) throws -> Int {
        let (id, mustStart) = try control.withLock { control -> (Int, Bool) in
            if control.isStopped { throw StoreError(.closed, "the store was closed; open it again") }
            defer {
                control.nextID += 1
                control.isRunning = true
            }
            control.commands.append(command(control.nextID))
            return (control.nextID, !control.isRunning)
        }
        if mustStart {
            try StoreError.wrap { try WorkerThreads.run { [self] in run() } }
        } else {
            poller.wake()
        }
        return id
    }

    /// A command that needs no thread to be started: without one there is nobody whom it concerns.
    private func tell(_ command: Command) {
        control.withLock { if $0.isRunning { $0.commands.append(command) } }
        poller.wake()
    }

    /// Commands that wait; nil when the thread is to end, since nothing is left to do.
    private func takeCommands(isIdle: Bool) -> [Command]? {
        control.withLock { control in
            let commands = control.commands
            control.commands = []
            guard commands.isEmpty, isIdle else { return commands }
            if !control.isStopped { control.isRunning = false }
            return nil
        }
    }
}

// On the loop's thread.
extension PeerLoop {
    private struct Listening {
        let listener: any ChannelListener
        let purpose: Purpose
        let onFailure: @Sendable (TransportError) -> Void
        /// Until when it takes nobody, since the system had no room for one more.
        var pausedUntil: UInt64 = 0
    }

    private struct Served {
        var connection: PeerConnection
        let purpose: Purpose
        /// What the peer has, since it was noted last, and when that was.
        var acknowledged: [Tip] = []
        var noted: UInt64 = 0
    }

    /// Everything that is served.
    private struct World {
        var connections: [Int: Served] = [:]
        var listeners: [Int: Listening] = [:]
        var isStopping = false
        var nextTick: UInt64 = 0
        var buffer = [UInt8](repeating: 0, count: 256 << 10)

        var isIdle: Bool { connections.isEmpty && listeners.isEmpty }
    }

    private func now() -> UInt64 { engine.environment.clock.monotonic() / 1_000_000 }

    private func run() {
        var world = World()
        let importer = Importer(engine) { [self] in tell(.stored($0, $1)) }
        let watch = LogWatch(engine.log) { [self] in tell(.logGrew) }
        defer {
            watch.end()
            importer.drain()
            if control.withLock({ $0.isStopped }) { ended.advance() }
        }
        while let commands = takeCommands(isIdle: world.isIdle) {
            for command in commands { take(command, importer, &world) }
            tick(&world)
            let waiting = interests(of: world)
            // Nothing can be told of an error of poll(2) but that waiting is of no use: the next tick looks again.
            let ready = (try? poller.wait(waiting.map(\.interest), nanoseconds: Self.tickInterval * 1_000_000)) ?? []
            serve(Set(ready.map { waiting[$0].id }), importer, &world)
            finish(importer, &world)
        }
    }

    private func take(_ command: Command, _ importer: Importer, _ world: inout World) {
        let now = now()
        switch command {
        case .add(let id, let channel, let purpose): begin(id, channel, purpose, importer, &world)
        case .listen(let id, let listener, let purpose, let onFailure):
            listener.onChange { [self] in poller.wake() }
            engine.records.note(.listening, .peer(listener.address))
            world.listeners[id] = Listening(listener: listener, purpose: purpose, onFailure: onFailure)
        case .drop(let id):
            world.listeners.removeValue(forKey: id)?.listener.close()
            if world.connections[id] != nil { importer.close(id) }
        case .stored(let id, .success(let inputs)):
            for input in inputs { world.connections[id]?.connection.handle(input, now: now) }
        case .stored(let id, .failure(let error)):
            world.connections[id]?.connection.fail(error, as: Refusal(storing: error), now: now)
        case .logGrew:
            _ = try? engine.log.refresh()
            let tips = engine.log.durableState.branches.tips
            for id in world.connections.keys.sorted() { world.connections[id]?.connection.handle(.tips(tips), now: now) }
        case .lookForBlobs:
            for id in world.connections.keys.sorted() { world.connections[id]?.connection.handle(.tick, now: now) }
        case .ask(let question):
            let asked = world.connections.keys.sorted().filter { world.connections[$0]?.connection.isMet ?? false }
            question.ask(asked)
            for id in asked {
                world.connections[id]?.connection.handle(.askToKeep(number: question.number, question.blobs), now: now)
            }
        case .withdraw(let gone):
            for id in world.connections.keys.sorted() where world.connections[id]?.connection.isMet ?? false {
                world.connections[id]?.connection.handle(.blobsGone(gone), now: now)
            }
        case .stop:
            world.isStopping = true
            for id in world.listeners.keys.sorted() { world.listeners[id]?.listener.close() }
            world.listeners = [:]
            for id in world.connections.keys.sorted() { world.connections[id]?.connection.handle(.close, now: now) }
        }
    }

    private func begin(_ id: Int, _ channel: any ByteChannel, _ purpose: Purpose, _ importer: Importer, _ world: inout World) {
        channel.onChange { [self] in poller.wake() }
        let log = engine.log
        _ = try? log.refresh()
        var configuration = SessionConfiguration(
            dataset: log.dataset, replica: log.replica, name: engine.layout.root, isLive: purpose.isLive,
            blobs: purpose.blobs, nonce: engine.environment.random.next(),
            wallClock: engine.environment.clock.now())
        configuration.window = max(
            Self.smallestWindow, min(configuration.window, Self.totalWindow / (world.connections.count + 1)))
        configuration.outputLimit = min(configuration.outputLimit, configuration.window)
        let exchange = blobs.exchange(with: id, purpose.blobs)
        let link = PeerLink(configuration, log: log, blobs: exchange, now: now())
        let clock = engine.environment.clock
        let tracker = EventTracker(store: engine.layout.root, peer: channel.peer, clock: clock, post: events.post)
        importer.add(id, blobs: exchange, purpose.blobs)
        engine.replicator.status.opened(channel.peer)
        world.connections[id] = Served(
            connection: PeerConnection(id: id, channel: channel, link: link, tracker: tracker), purpose: purpose)
        // The greeting.
        world.connections[id]?.connection.write(now())
    }

    private func tick(_ world: inout World) {
        let now = now()
        guard now >= world.nextTick else { return }
        world.nextTick = now + Self.tickInterval
        for id in world.connections.keys.sorted() {
            world.connections[id]?.connection.recheck(now: now)
            world.connections[id]?.connection.handle(.tick, now: now)
        }
    }

    private func interests(of world: World) -> [(id: Int, interest: PollInterest)] {
        var interests: [(id: Int, interest: PollInterest)] = []
        for (id, served) in world.connections {
            let connection = served.connection
            guard case .descriptors(let own) = connection.channel.readiness(wantsToWrite: connection.hasOutput) else {
                continue
            }
            interests += own.map { (id, $0) }
        }
        for (id, listening) in world.listeners {
            guard now() >= listening.pausedUntil else { continue }
            if let interest = listening.listener.interest { interests.append((id, interest)) }
        }
        return interests
    }

    private func serve(_ ready: Set<Int>, _ importer: Importer, _ world: inout World) {
        let now = now()
        for id in world.connections.keys.sorted() {
            guard let served = world.connections[id] else { continue }
            // Channels without descriptors say that something changed, and not which of them.
            guard ready.contains(id) || served.connection.channel.readiness(wantsToWrite: true) == .signal else { continue }
            world.connections[id]?.connection.read(into: &world.buffer, now: now)
        }
        for id in world.listeners.keys.sorted() { accept(id, importer, &world) }
        for id in world.connections.keys.sorted() {
            guard let work = world.connections[id]?.connection.takeWaiting(), !work.isEmpty else { continue }
            importer.submit(work, of: id)
        }
    }

    private func accept(_ id: Int, _ importer: Importer, _ world: inout World) {
        guard let listening = world.listeners[id], now() >= listening.pausedUntil else { return }
        do throws(TransportError) {
            while let channel = try listening.listener.accept() {
                let number = control.withLock { control -> Int in
                    defer { control.nextID += 1 }
                    return control.nextID
                }
                begin(number, channel, listening.purpose, importer, &world)
            }
        } catch {
            engine.records.note(.callerRefused, .peer(listening.listener.address), error: error)
            listening.onFailure(error)
            // One caller that was turned away is no reason to turn away the next.
            if error.code == .closed { world.listeners[id] = nil }
            if error.isRetryable { world.listeners[id]?.pausedUntil = now() + Self.tickInterval }
        }
    }

    /// Closes what is over, and tells the others how far they have come.
    private func finish(_ importer: Importer, _ world: inout World) {
        let now = now()
        for id in world.connections.keys.sorted() {
            guard var served = world.connections[id] else { continue }
            served.purpose.onProgress(served.connection.link.session.progress)
            let isOver = world.isStopping || served.connection.isOver(at: now)
            served.acknowledged += served.connection.takeAcknowledged()
            if !served.acknowledged.isEmpty || blobs.hasNews, isOver || now >= served.noted + Self.noteInterval,
                let peer = served.connection.link.session.peer?.replica
            {
                importer.acknowledge(peer, name: served.connection.channel.peer, served.acknowledged)
                served.acknowledged = []
                served.noted = now
            }
            world.connections[id] = served
            guard isOver else { continue }
            world.connections[id] = nil
            importer.remove(id)
            let outcome = served.connection.close()
            engine.replicator.status.closed(outcome.peer)
            engine.syncNotes.note(outcome, with: served.connection.link.session.peer?.replica)
            served.purpose.onEnd(outcome)
        }
    }
}
