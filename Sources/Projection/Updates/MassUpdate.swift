package import EventLog
package import Storage

/// The same values for many objects that lie in blocks of runs, set by one transaction.
///
/// Where a block has many of them, it is written anew as a whole: its other columns as they are stored, and nothing of any row
/// passes through a record or through memory. A thousand rows cost about what one costs that is changed by itself.
package struct MassUpdate: Sendable {
    /// Objects of one block.
    package struct Pick: Sendable {
        package let block: RunBlock
        /// Ascending.
        package let rows: [Int]

        /// Nil where the objects are better changed one by one: few of the block, or what columns do not say all of, or values so
        /// large that the log may need several changes for one.
        ///
        /// - Parameter least: fewer rows are few.
        /// - Throws: what reading the block throws.
        package init?(
            _ block: RunBlock, rows: [Int], of properties: [Property], least: Int
        ) throws(StorageError) {
            guard rows.count >= max(1, least), !block.hasWholeRecords else { return nil }
            for property in properties {
                guard let column = try block.chunk(property) else { continue }
                guard column.hasOnlySmallValues else { return nil }
            }
            self.block = block
            self.rows = rows
        }
    }

    package let entity: WireName
    /// Each property once.
    package let values: [PropertyValue]
    /// Of the transaction; higher than all that is applied.
    package let stamp: Stamp
    package let picks: [Pick]

    package init(of entity: WireName, _ values: [PropertyValue], stamp: Stamp, _ picks: [Pick]) {
        self.entity = entity
        self.values = values
        self.stamp = stamp
        self.picks = picks
    }

    /// What it comes to in a block; nil when every row reads as wanted.
    ///
    /// - Throws: what reading the block throws.
    package func plan(_ pick: Pick) throws(StorageError) -> BlockUpdate? { try BlockUpdate(pick, values, stamp) }
}

extension FoldState {
    /// Whether these values can be set by a mass update: they concern nobody but their objects.
    package func allowsMassUpdate(of entity: WireName, _ values: [PropertyValue]) -> Bool {
        let key = schema.key(of: entity)
        return irregular != nil && values.count <= UpdatedColumn.most
            && values.allSatisfy { isPlain($0, outside: key) && $0.value.isSmall && $0.property.type != .blob }
    }

    /// Joins a mass update object by object, in memory: for runs that cannot be written.
    package mutating func update(by update: MassUpdate) throws(StorageError) {
        for pick in update.picks {
            guard let planned = try update.plan(pick) else { continue }
            for id in planned.objects {
                guard let plan = planPlainUpdate(id, update.values, stamp: update.stamp) else { continue }
                self.update(id, by: plan)
            }
        }
    }

    /// Puts runs in the place of the base that say what a transaction in progress did, too.
    package mutating func rebase(on runs: RunSet) {
        freeze()
        replaceBase(runs, withFrozen: 0)
    }
}
