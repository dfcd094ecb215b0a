public import EventLog
import Projection

/// Which objects one transaction changed; see ``Store/changes(entities:after:)``.
public struct ObservedTransaction: Hashable, Sendable {
    /// The objects of one entity.
    public struct Objects: Hashable, Sendable {
        /// The wire name.
        public let entity: String
        /// Those that the transaction made, or brought back; ascending, as are the others.
        public internal(set) var inserted: [ObjectID] = []
        /// Those that were there before and after, with something of them changed: a property, a counter, or the relationships
        /// that they keep.
        public internal(set) var updated: [ObjectID] = []
        public internal(set) var deleted: [ObjectID] = []
    }

    /// Who wrote it, and when.
    public let header: TransactionHeader
    /// Whether it was written through this very ``Store``, and not by another process, another handle, or another replica.
    public let isOwn: Bool
    /// Ascending by entity.
    public let objects: [Objects]

    /// Nil when nothing of the entities was changed; all entities without any.
    init?(_ transaction: Transaction, entities: Set<WireName>, isOwn: Bool) {
        var fates: [WireName: [ObjectID: Fate]] = [:]
        for change in transaction.changes {
            guard let object = change.object, let entity = change.entity.map({ WireName($0) }) else { continue }
            guard entities.isEmpty || entities.contains(entity) else { continue }
            fates[entity, default: [:]][object, default: Fate(change)].follow(change)
        }
        objects = fates.sorted { $0.key < $1.key }.compactMap { entity, fates in
            var objects = Objects(entity: entity.text)
            for (object, fate) in fates.sorted(by: { $0.key < $1.key }) {
                switch (fate.wasThere, fate.isThere) {
                case (false, true): objects.inserted.append(object)
                case (true, true): objects.updated.append(object)
                case (true, false): objects.deleted.append(object)
                case (false, false): break
                }
            }
            return objects.inserted.isEmpty && objects.updated.isEmpty && objects.deleted.isEmpty ? nil : objects
        }
        guard !objects.isEmpty else { return nil }
        header = transaction.header
        self.isOwn = isOwn
    }

    /// The objects of an entity, by wire name; nil when none was changed.
    public subscript(entity: String) -> Objects? {
        objects.first { $0.entity.utf8.elementsEqual(entity.utf8) }
    }
}

/// Whether an object is there before and after a transaction.
private struct Fate {
    let wasThere: Bool
    private(set) var isThere: Bool

    /// By the first change that the transaction makes of the object.
    init(_ first: Change) {
        switch first {
        case .insert, .restore: wasThere = false
        default: wasThere = true
        }
        isThere = wasThere
    }

    mutating func follow(_ change: Change) {
        switch change {
        case .insert, .restore: isThere = true
        case .delete: isThere = false
        default: break
        }
    }
}
