package import EventLog

extension FoldState {
    /// The causal length: odd is alive, even deleted, 0 not arrived.
    ///
    /// What is covered and was never inserted, or was
    /// forgotten by a baseline, is deleted.
    package func length(of id: ObjectID) -> UInt32 { length(of: id, objects[id]) }

    /// ``length(of:)`` of an object whose record is at hand.
    func length(of id: ObjectID, _ record: ObjectRecord?) -> UInt32 {
        let length = record?.length ?? 0
        return length == 0 && covers(id) ? 2 : length
    }

    package func isAlive(_ id: ObjectID) -> Bool { objects.isAlive(id) }

    /// Alive and not hidden.
    package func isVisible(_ id: ObjectID) -> Bool { isAlive(id) && !isHidden(id) }

    /// Whether a cascade owner, or an owner's owner and so on, was deleted.
    ///
    /// The least fixed point of "has a cascade owner that was deleted, or that is alive and hidden" is what can be reached: a
    /// living object is hidden exactly when a chain of living owners leads from it to a deleted one.
    package func isHidden(_ id: ObjectID) -> Bool {
        guard !isRegular(id), isAlive(id) else { return false }
        var pending = [id]
        var seen: Set = [id]
        while let object = pending.popLast() {
            for owner in cascadeOwners(of: object) where seen.insert(owner).inserted {
                let length = length(of: owner)
                if length == 0 { continue }
                if length.isMultiple(of: 2) { return true }
                pending.append(owner)
            }
        }
        return false
    }

    /// What the object's own registers refer to, where the other end's delete rule is cascade.
    private func cascadeOwners(of id: ObjectID) -> [ObjectID] {
        guard let record = objects[id], let entity = record.entity else { return [] }
        let registers = record.current.registers
        return schema.cascades(of: entity).compactMap { property in
            if case .reference(let owner)? = registers[property]?.value { owner } else { nil }
        }
    }
}
