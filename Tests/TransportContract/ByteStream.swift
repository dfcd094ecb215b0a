import Synchronization
package import Transports

/// A channel with waiting: for tests that run on a thread of their own.
package final class ByteStream: Sendable {
    package let channel: any ByteChannel
    private let poller: Poller
    /// The one that the channel wakes.
    private let woken: Mutex<Poller?>

    package init(_ channel: any ByteChannel) throws {
        self.channel = channel
        poller = try Poller()
        woken = Mutex(nil)
    }

    /// What is there now, up to `limit` bytes; nil at the end.
    package func readNow(_ limit: Int = 65_536) throws(TransportError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        var space = buffer.mutableSpan
        switch try channel.read(into: &space) {
        case .bytes(let count): return Array(buffer.prefix(count))
        case .nothing: return []
        case .end: return nil
        }
    }

    /// What is there once something is; nil at the end.
    package func read(_ limit: Int = 65_536) throws -> [UInt8]? {
        while true {
            guard let bytes = try readNow(limit) else { return nil }
            if !bytes.isEmpty { return bytes }
            try wait(wantsToWrite: false)
        }
    }

    /// So many bytes, or fewer if the end comes first.
    package func readAll(upTo count: Int = .max) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count, let more = try read(min(65_536, count - all.count)) { all += more }
        return all
    }

    /// Writes what there is room for now, from `offset` on; returns how much.
    package func writeNow(_ bytes: [UInt8], from offset: Int = 0, limit: Int = .max) throws(TransportError) -> Int {
        let end = limit < bytes.count - offset ? offset + limit : bytes.count
        return try channel.write(bytes.span.extracting(offset..<end))
    }

    /// Writes all, waiting for room.
    package func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = try writeNow(bytes, from: done)
            done += count
            if count == 0 { try wait(wantsToWrite: true) }
        }
    }

    /// Waits for what the channel says.
    package func wait(wantsToWrite: Bool) throws { try ByteStream.wait(for: [(self, wantsToWrite)]) }

    /// Waits until one of the channels may be ready.
    package static func wait(for streams: [(stream: ByteStream, wantsToWrite: Bool)]) throws {
        guard let poller = streams.first?.stream.poller else { return }
        var interests: [PollInterest] = []
        for (stream, wantsToWrite) in streams {
            stream.wake(poller)
            if case .descriptors(let more) = stream.channel.readiness(wantsToWrite: wantsToWrite) { interests += more }
        }
        // One that never becomes ready would keep the test for ever; a machine that is busy keeps it long.
        let start = ContinuousClock.now
        _ = try poller.wait(interests, nanoseconds: 600_000_000_000)
        if ContinuousClock.now - start > .seconds(590) {
            throw ContractBreach("\(streams.map(\.stream.channel.peer)) did not become ready")
        }
    }

    private func wake(_ poller: Poller) {
        let isNew = woken.withLock { woken in
            defer { woken = poller }
            return woken !== poller
        }
        if isNew { channel.onChange { poller.wake() } }
    }

    /// Whether a wait for the channel ends at once.
    package func isReady(wantsToWrite: Bool) throws -> Bool {
        guard case .descriptors(let interests) = channel.readiness(wantsToWrite: wantsToWrite) else { return false }
        let fresh = try Poller()
        return try !fresh.wait(interests, nanoseconds: 0).isEmpty
    }
}
