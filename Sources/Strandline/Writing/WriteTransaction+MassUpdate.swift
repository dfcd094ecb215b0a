import EventLog
import Projection
import Storage

// The same values for all objects that a request selects.
extension WriteTransaction {
    /// Sets properties of the objects that a request selects: where there are many in a block of a run, of all of them at once,
    /// else one by one.
    ///
    /// - Returns: how many were selected, and how many of them changed.
    func update(_ request: FetchDescription, _ values: [PropertyValue]) throws -> (selected: Int, changed: Int) {
        try wrapped {
            try check(values, of: request.entity)
            try checkKey(values, of: request.entity, isNew: false)
            let least = live.sizes.massUpdate
            var selected = try MassSelection(reader, request, values, least: least)
            if !selected.picks.isEmpty, live.settleRuns() {
                selected = try MassSelection(reader, request, values, least: least)
            }
            let before = changes
            let update = MassUpdate(of: WireName(request.entity), values, stamp: stamp, selected.picks)
            let isJoined = try !selected.picks.isEmpty && whole { try live.join(update) { try tell(update) } }
            for id in isJoined ? selected.others : selected.ids { try set(id, values) }
            return (selected.ids.count, changes - before)
        }
    }

    private func tell(_ update: MassUpdate) throws {
        for pick in update.picks {
            for rows in try update.plan(pick)?.rows ?? [] { try encode(rows, of: update.entity) }
        }
    }
}

/// What a request selects, divided by how it is best changed.
private struct MassSelection {
    let ids: [ObjectID]
    /// Empty where there is too little to write runs for, or the values concern others than their objects.
    private(set) var picks: [MassUpdate.Pick] = []
    /// Those that are in none of the picks.
    private(set) var others: [ObjectID] = []

    init(_ reader: StateReader, _ request: FetchDescription, _ values: [PropertyValue], least: Int) throws {
        let found = try reader.find(request)
        ids = found.ids
        others = ids
        guard ids.count >= least, reader.state.allowsMassUpdate(of: WireName(request.entity), values) else { return }
        let positions = found.findings.positions
        var rows = [[Int]](repeating: [], count: found.source.blocks.count)
        for position in positions { if let block = position.block { rows[block].append(position.row) } }
        var isPicked = [Bool](repeating: false, count: rows.count)
        try reader.noting {
            for (number, block) in found.source.blocks.enumerated() {
                // In the order of the request, which may not be that of the block.
                let rows = request.sort.isEmpty ? rows[number] : rows[number].sorted()
                let properties = values.map(\.property)
                guard let pick = try MassUpdate.Pick(block, rows: rows, of: properties, least: least / 16) else { continue }
                picks.append(pick)
                isPicked[number] = true
            }
        }
        guard picks.reduce(0, { $0 + $1.rows.count }) >= least else {
            picks = []
            return
        }
        others = zip(ids, positions).compactMap { id, position in
            position.block.map { isPicked[$0] } ?? false ? nil : id
        }
    }
}
