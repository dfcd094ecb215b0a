// Invariant: a demand is taken back at most once; one that is given up before it began is taken back as soon as it has.

import EventLog
import SyncProtocol
import Synchronization

/// A call that waits for a blob.
final class BlobWait: Sendable {
    private struct State {
        var number: Int?
        var isGivenUp = false
        var isCancelled = false
    }

    private let transfers: BlobTransfers
    private let state = Mutex(State())

    init(_ transfers: BlobTransfers) { self.transfers = transfers }

    func begin(_ demand: BlobDemand) {
        guard let number = transfers.demand(demand) else { return }
        let now = state.withLock { state in
            state.number = number
            return state
        }
        if now.isGivenUp { transfers.withdraw(number, isCancelled: now.isCancelled) }
    }

    func giveUp(isCancelled: Bool = false) {
        let number = state.withLock { state -> Int? in
            guard !state.isGivenUp else { return nil }
            state.isGivenUp = true
            state.isCancelled = isCancelled
            return state.number
        }
        if let number { transfers.withdraw(number, isCancelled: isCancelled) }
    }

    /// Returns when there is no more hope: after the patience, or when the one peer that was to be asked has answered or is out of reach.
    func watch(for patience: Duration, _ id: BlobID, _ replication: Replication?) async {
        var left = patience
        while left > .zero, !Task.isCancelled {
            let slice = min(left, .milliseconds(50))
            try? await Task.sleep(for: slice)
            left -= slice
            guard let replication else { continue }
            switch replication.phase {
            case .waiting, .stopped: return
            case .connected where transfers.isLackedByAll(id): return
            case .connecting, .connected: break
            }
        }
    }
}
