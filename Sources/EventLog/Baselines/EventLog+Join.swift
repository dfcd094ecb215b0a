import Storage
import Synchronization

extension EventLog {
    /// Joins a baseline that is whole; see ``BaselineReceiver/finish()``.
    func join(_ file: BaselineFile, from writer: BaselineFileWriter) throws(LogError) -> Bool {
        let entries = try file.frame().floor
        try flush()
        let isJoined = try entered { () throws(LogError) -> Bool in
            let state = front.withLock { $0.state }
            var layer = FloorLayer(self, on: state, now: environment.clock.now())
            try layer.add(entries)
            guard layer.hasMoved else {
                writer.discard()
                return false
            }
            let records = layer.records + [.baseline(file.identity, floor: try layer.positions())]
            try writer.place()
            front.withLock { front in
                front.add(control: records)
                front.observeApplied()
            }
            // It knows more of this store than the store itself: an id must not be used twice.
            if layer.moved.contains(replica) { try renewReplica() }
            return true
        }
        try flush()
        return isJoined
    }
}
