import Storage
import Synchronization

extension SimulatedFileSystem {
    /// The device as a power cut at this moment could leave it: what was synced, and a part of what was not.
    ///
    /// Shared pages are all zero, and there are no handles, locks or faults. This file system stays as it is, so that any
    /// number of outcomes can be tried; images share memory until they are written to.
    public func crash(keeping subset: UnsyncedSubset) -> SimulatedFileSystem {
        var tree = state.withLock { $0.journal.image(keeping: subset) }
        tree.continueCounting(after: live.withTree { $0 })
        tree.separateNames()
        return SimulatedFileSystem(tree: tree)
    }

    /// What SIGKILL does to every process that uses these files: handles close and locks end; all that was written stays,
    /// synced or not, and shared pages keep their words.
    ///
    /// Faults and a power cut are cleared for the next process.
    public func killProcess() {
        state.withLock { state in
            live.closeAllHandles()
            state.faults = []
            state.cutAt = nil
            state.isCut = false
            state.journal.removeGarbage(live: live.numbers)
        }
    }

    /// An independent copy of the files as programs see them now.
    ///
    /// - Parameter sameIdentity: With true, attributes are the same and what is unsynced stays so: a virtual machine set back
    ///   to a snapshot. With false, every file has a new number and new times, and all is durable: a copy made by a program.
    public func clone(sameIdentity: Bool) -> SimulatedFileSystem {
        state.withLock { state in
            let tree = live.tree
            if sameIdentity { return SimulatedFileSystem(live: tree, journal: state.journal) }
            state.clones += 1
            return SimulatedFileSystem(tree: tree.copied(fileSystem: tree.fileSystem &* 1_000 &+ state.clones))
        }
    }
}
