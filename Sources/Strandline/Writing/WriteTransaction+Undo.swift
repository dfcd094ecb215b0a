package import EventLog
import Projection

extension WriteTransaction {
    /// Takes back another transaction as far as it still holds.
    ///
    /// - Throws: ``StoreError`` `duplicateKey` when an object would get back a unique key that another has by now.
    ///
    /// - Parameter chains: as ``FoldState/planUndo(_:_:)`` takes them.
    package func undo(_ transaction: Transaction, _ chains: UndoChains? = nil) throws -> UndoSummary {
        try wrapped {
            let plan = reader.state.planUndo(transaction, chains)
            let changed = keyChanges(plan.changes)
            let before = Dictionary(
                uniqueKeysWithValues: changed.map { ($0.key, Set(reader.state.members(of: $0.key))) })
            try whole {
                try make(plan.changes)
                for (id, isRevived) in changed.sorted(by: { $0.key < $1.key }) {
                    let joined = reader.state.members(of: id).filter { other in
                        // Those that were deleted together come back together.
                        other != id && before[id]?.contains(other) != true && !(isRevived && changed[other] == true)
                    }
                    if let other = joined.first { throw taken(id, by: other) }
                }
            }
            return UndoSummary(plan)
        }
    }

    /// The objects whose unique key changes bring back, each with whether they bring back the object too.
    private func keyChanges(_ changes: [Change]) -> [ObjectID: Bool] {
        var result: [ObjectID: Bool] = [:]
        for change in changes {
            switch change {
            case .restore(let id, _, _, _): result[id] = true
            case .update(let id, let entity, _, let assignments):
                let key = reader.state.schema.key(of: WireName(entity)).map { WireName($0) }
                guard assignments.contains(where: { key.contains(WireName($0.property.name)) }) else { continue }
                result[id] = result[id] ?? false
            case .insert, .delete, .edge, .increment, .schema, .rename, .undo, .unknown: continue
            }
        }
        return result
    }

    private func taken(_ id: ObjectID, by other: ObjectID) -> StoreError {
        let state = reader.state
        return StoreError(
            .duplicateKey,
            "undoing this would give \(state.uri(of: id)) \(state.keyText(of: other)), which \(state.uri(of: other)) has now; "
                + "change or delete that one first", objects: [id, other])
    }
}
