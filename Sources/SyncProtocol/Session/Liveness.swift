/// Whether the peer is still there: a session's timers, in milliseconds of a clock that never goes back.
struct Liveness {
    private let configuration: SessionConfiguration
    private let started: UInt64
    private var lastHeard: UInt64
    private var lastPing: UInt64
    /// Since when one message has been arriving.
    private var incompleteSince: UInt64?
    private(set) var isGreeted = false

    init(_ configuration: SessionConfiguration, now: UInt64) {
        self.configuration = configuration
        started = now
        lastHeard = now
        lastPing = now
    }

    mutating func greeted() { isGreeted = true }

    mutating func heard(at now: UInt64) { lastHeard = now }

    /// Notes whether part of a message waits for the rest; `isNew` when another message ended since the last time.
    mutating func note(isIncomplete: Bool, isNew: Bool, at now: UInt64) {
        if !isIncomplete { incompleteSince = nil } else if isNew || incompleteSince == nil { incompleteSince = now }
    }

    /// Why the peer is to be given up, or nil.
    func failure(at now: UInt64) -> Refusal? {
        if !isGreeted {
            guard now >= started + configuration.greetingTimeout else { return nil }
            return Refusal(.timedOut, "the peer did not introduce itself within \(configuration.greetingTimeout / 1000) s")
        }
        if now >= lastHeard + configuration.silenceTimeout {
            return Refusal(.timedOut, "nothing was heard of the peer for \(configuration.silenceTimeout / 1000) s")
        }
        if let incompleteSince, now >= incompleteSince + configuration.silenceTimeout {
            return Refusal(.timedOut, "one message of the peer took longer than \(configuration.silenceTimeout / 1000) s")
        }
        return nil
    }

    /// Whether to ask the peer for a sign of life now.
    mutating func mustPing(at now: UInt64) -> Bool {
        guard isGreeted, now >= max(lastHeard, lastPing) + configuration.pingInterval else { return false }
        lastPing = now
        return true
    }
}
