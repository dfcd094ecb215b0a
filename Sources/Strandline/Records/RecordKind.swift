/// What a record tells, each with the sentence, or the noun of what has a beginning and an end, that its message begins with.
///
/// The names are what `kind == '…'` looks for in a predicate: they do not change.
package enum RecordKind: String, Sendable, CaseIterable {
    // What takes time.
    case opening, closing, rebuild, compaction, trim, backup
    // Opening and recovery.
    case recovered, quarantined, newReplica, projectionRepaired, propertyRetyped
    // Writing.
    case slowFlush, commitFailed
    // The history.
    case held, holdEnded, released, forked, refolded, baselineJoined, trimBlocked, snapshotHeld
    // Blobs.
    case blobsCollected, blobsEvicted
    case recordsLost
    // Peers.
    case listening, callerRefused, connecting, connectingFailed, peerConnected, peerRefused, peerEnded
    case imported, importFailed, exported, exportFailed, baselineOffered
    // What is done later.
    case retryLater, replicationEnded
    case folderStirred

    private struct Entry {
        let category: RecordCategory
        let level: RecordImportance
        let sentence: String
    }

    package var category: RecordCategory { entry.category }
    package var level: RecordImportance { entry.level }
    package var sentence: String { entry.sentence }

    private var entry: Entry {
        switch self {
        case .opening: store(.info, "opening the store")
        case .closing: store(.info, "closing the store")
        case .rebuild: store(.info, "the rebuild of the projection")
        case .compaction: store(.info, "compaction")
        case .trim: store(.info, "the trim")
        case .backup: store(.info, "the backup")
        case .recovered: store(.notice, "the last user did not close the store, and the end of its log was looked at")
        case .quarantined: store(.notice, "bytes were cut off the end of the log, and are kept in quarantine")
        case .newReplica: store(.notice, "the store writes under a new replica id")
        case .projectionRepaired:
            store(.notice, "the projection was damaged and is made anew from the log, which has everything")
        case .propertyRetyped: store(.notice, "a property has another type now than values that are stored")
        case .slowFlush: store(.notice, "the disk took long to make a group of commits durable")
        case .commitFailed: store(.error, "a group of commits could not be made durable")
        case .held: store(.notice, "transactions of an origin wait, since its clock is ahead")
        case .holdEnded: store(.info, "transactions of an origin wait no more")
        case .released: store(.notice, "somebody had the transactions of an origin applied, whatever its clock said")
        case .forked: store(.notice, "an origin has forked: a store was copied unnoticed, or a machine set back")
        case .refolded: store(.notice, "all was folded anew, because something applied got another name")
        case .baselineJoined: store(.notice, "a baseline of trimmed history came from elsewhere and was joined")
        case .trimBlocked: store(.notice, "the trim went no further because of somebody who has not acknowledged all")
        case .snapshotHeld: store(.notice, "a snapshot held for long keeps files that are needed no more")
        case .blobsCollected: store(.info, "blobs that nothing names any more were removed")
        case .blobsEvicted: store(.info, "blobs were removed that others keep")
        case .recordsLost: store(.error, "records could not be written")
        case .listening: sync(.info, "peers are served at an address")
        case .callerRefused: sync(.notice, "a caller was turned away")
        case .connecting: sync(.debug, "a peer is being connected to")
        case .connectingFailed: sync(.notice, "a peer could not be connected to")
        case .peerConnected: sync(.info, "a peer and this store have met")
        case .peerRefused: sync(.error, "a peer and this store do not belong together, or one does not let the other in")
        case .peerEnded: sync(.info, "the connection to a peer ended")
        case .imported: sync(.info, "what a peer had came in")
        case .importFailed: sync(.error, "what a peer had did not come in whole")
        case .exported: sync(.info, "what a peer lacked went out")
        case .exportFailed: sync(.error, "what a peer lacked did not go out whole")
        case .baselineOffered: sync(.info, "a peer that was away for longer than the history is kept was given a baseline")
        case .retryLater: Entry(category: .scheduler, level: .notice, sentence: "a peer is tried again later")
        case .replicationEnded: Entry(category: .scheduler, level: .notice, sentence: "a peer is not tried any more")
        case .folderStirred:
            Entry(category: .push, level: .debug, sentence: "something was committed here, or changed in the folder")
        }
    }

    private func store(_ level: RecordImportance, _ sentence: String) -> Entry {
        Entry(category: .store, level: level, sentence: sentence)
    }

    private func sync(_ level: RecordImportance, _ sentence: String) -> Entry {
        Entry(category: .sync, level: level, sentence: sentence)
    }
}
