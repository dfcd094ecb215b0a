// Invariants
// * `state` is guarded by its mutex: the closure is called by one thread at a time, and not again after it said that it is done,
//   or failed.

import Synchronization

/// Objects that a closure gives one by one, taken a batch at a time.
final class ObjectFeed<Root: Entity>: Sendable {
    private struct State {
        let fill: (inout Root) throws -> Bool
        var isEnded = false
    }

    private let size: Int
    private let state: Mutex<State>

    /// - Parameter size: at most how many objects a batch has.
    init(size: Int, _ fill: sending @escaping (inout Root) throws -> Bool) {
        self.size = size
        state = Mutex(State(fill: fill))
    }

    /// The next objects; empty at the end.
    func next() throws -> [Root] {
        try state.withLock { state in
            var objects: [Root] = []
            if state.isEnded { return objects }
            objects.reserveCapacity(min(size, 4_096))
            while objects.count < size {
                var object = Root()
                // An end as long as nothing says otherwise: a closure that throws is not called again.
                state.isEnded = true
                guard try state.fill(&object) else { break }
                state.isEnded = false
                objects.append(object)
            }
            return objects
        }
    }
}
