/// Which part of a run a record belongs to: that of its entity, or the last one, of records that are not alive or have none.
package struct RunSection: Hashable, Sendable, Comparable {
    /// Nil for the part of those that are not alive.
    package let entity: WireName?

    package init(entity: WireName?) { self.entity = entity }

    package init(of record: ObjectRecord) { self.init(entity: record.isAlive ? record.entity : nil) }

    package init(of held: HeldRecord) { self.init(entity: held.isAlive ? held.entity : nil) }

    package static func < (a: RunSection, b: RunSection) -> Bool {
        switch (a.entity, b.entity) {
        case (let a?, let b?): a < b
        case (.some, nil): true
        case (nil, _): false
        }
    }
}
