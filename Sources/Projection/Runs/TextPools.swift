// Invariants
// * Together the pools take at most `room`, save while a block is being numbered.
// * What was refused, having too many texts of its own, is not tried again as long as the store is open.

import EventLog
import Synchronization

/// The pools of texts that a store's runs share: one for each property that objects were grouped by.
///
/// The least recently used one goes when there is no room for another.
final class TextPools: Sendable {
    private struct State {
        /// The one used last at the end.
        var pools: [(property: Property, pool: TextPool)] = []
        var refused: Set<Property> = []
        var made = 0
    }

    private let room: Int
    private let state = Mutex(State())

    /// - Parameter room: bytes of memory, estimated.
    init(room: Int) { self.room = room }

    /// The pool of a property, a new one if need be; nil when it has too many texts.
    func pool(of property: Property) -> TextPool? {
        state.withLock { state in
            if let last = state.pools.last, last.property == property { return last.pool }
            if let index = state.pools.firstIndex(where: { $0.property == property }) {
                let known = state.pools.remove(at: index)
                state.pools.append(known)
                return known.pool
            }
            if state.refused.contains(property) { return nil }
            state.made += 1
            let pool = TextPool(number: state.made)
            state.pools.append((property, pool))
            return pool
        }
    }

    /// Makes room for what was added to a pool.
    ///
    /// One that alone has too much begins anew, for its texts may have changed since; unless few of them ever came twice.
    func noteGrowth(of pool: TextPool) {
        let bytes = pool.bytes
        state.withLock { state in
            var total = state.pools.reduce(0) { $0 + $1.pool.bytes }
            while total > room, let first = state.pools.first(where: { $0.pool !== pool }) {
                total -= first.pool.bytes
                state.pools.removeAll { $0.pool === first.pool }
            }
            guard bytes > room, let index = state.pools.firstIndex(where: { $0.pool === pool }) else { return }
            let gone = state.pools.remove(at: index)
            if pool.isDiverse { state.refused.insert(gone.property) }
        }
    }
}
