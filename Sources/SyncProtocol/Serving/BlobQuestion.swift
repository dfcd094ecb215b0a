// Invariants
// * A promise counts only between `ask` and the end of the question, from a connection that was asked and is still there.
// * `open` are the connections that have not answered.

package import EventLog
import Storage
import Synchronization

/// Whether peers keep blobs that are about to leave: one question, asked of all that are connected.
package final class BlobQuestion: Sendable {
    private struct State {
        var open: Set<Int> = []
        /// Who has promised each.
        var promised: [BlobID: Int] = [:]
        var asked: Int?
        var isOver = false
    }

    package let number: UInt32
    package let blobs: [BlobReference]
    private let state = Mutex(State())
    private let changed = WakeSignal()

    package init(number: UInt32, _ blobs: [BlobReference]) {
        self.number = number
        self.blobs = blobs
    }

    /// The connections that are asked.
    package func ask(_ connections: [Int]) {
        state.withLock { state in
            state.open = Set(connections)
            state.asked = connections.count
        }
        changed.advance()
    }

    /// A connection answered, or ended: then without a promise.
    package func answer(_ connection: Int, _ kept: [BlobID]) {
        let known = Set(blobs.map(\.id))
        state.withLock { state in
            guard !state.isOver, state.open.remove(connection) != nil else { return }
            for id in kept where known.contains(id) { state.promised[id] = connection }
        }
        changed.advance()
    }

    /// A connection ended.
    ///
    /// What it promised stays promised: it is noted there.
    package func lose(_ connection: Int) {
        state.withLock { _ = $0.open.remove(connection) }
        changed.advance()
    }

    /// Waits for the answers of all that are asked; what was promised, how many were asked, and how many never answered.
    ///
    /// No promise counts afterwards.
    package func wait(milliseconds: Int) -> (promised: Set<BlobID>, asked: Int, silent: Int) {
        var left = milliseconds
        while true {
            let ticket = changed.generation
            let isDone = state.withLock { state in
                state.asked != nil && (state.open.isEmpty || state.promised.count == blobs.count)
            }
            if isDone || left <= 0 { break }
            // In slices, so that a wake-up that brings nothing new does not begin the time anew.
            let slice = min(left, 100)
            if !changed.wait(past: ticket, milliseconds: slice) { left -= slice }
        }
        return state.withLock { state in
            state.isOver = true
            return (Set(state.promised.keys), state.asked ?? 0, state.open.count)
        }
    }
}
