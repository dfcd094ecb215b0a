package import EventLog
import Storage

// A baseline that is too large for memory; `FoldState.apply(baseline:)` is the definition.
extension FoldState {
    /// Joins a baseline, an object at a time.
    ///
    /// Throughout, the state's vector is as before; so nobody may take it for more than it is until this returns.
    ///
    /// - Parameter relieve: called between objects, to put what is in memory into runs once it is much.
    package mutating func join(_ file: BaselineFile, relieve: (inout FoldState) throws -> Void = { _ in }) throws {
        precondition(journal == nil, "a baseline cannot be taken back")
        let frame = try file.frame()
        let floor = frame.vector
        let gained = Set(floor.filter { $0.value > origins[$0.key]?.sequence ?? 0 }.keys)
        let isFirst = origins.isEmpty && !objects.hasAny
        // First, so that objects are found by their keys as soon as they are there.
        var merged = schema
        for record in frame.schema { merged.merge(record.declaration, stamp: record.stamp) }
        replaceSchema(by: merged)
        var members = BaselineMembers(file)
        try members.forEachObject { object in
            join(object, sumsOf: gained)
            try relieve(&self)
        }
        if !isFirst {
            var gone: [ObjectID] = []
            var failure: (any Error)?
            objects.visit { id, record in
                guard failure == nil, record.length < 2, (floor[id.replica] ?? 0) >= id.sequence else { return }
                do { if try !members.contains(id) { gone.append(id) } } catch { failure = error }
            }
            if let failure { throw failure }
            for id in gone {
                withRecord(id) { $0.raise(to: 2) }
                try relieve(&self)
            }
        }
        applyFloor(frame, gained)
    }

    private mutating func join(_ object: Baseline.Object, sumsOf gained: Set<ReplicaID>) {
        if let insertion = object.insertion { return insertFirst(object.id, insertion) }
        withRecord(object.id) { $0.join(object, sumsOf: gained) }
    }
}

extension Baseline.Object {
    /// What an insert would say of it, when nothing else was ever written to it.
    fileprivate var insertion: Insertion? {
        guard length == 1, let entity, sums.isEmpty, edges.isEmpty else { return nil }
        let stamp = Stamp(timestamp: created, replica: id.replica)
        guard registers.allSatisfy({ $0.length == 1 && !$0.isExplicit && $0.stamp == stamp }) else { return nil }
        return Insertion(
            entity: WireName(entity), stamp: stamp, values: registers.map { PropertyValue($0.property, $0.value) })
    }
}
