package import EventLog
import Storage

/// Trims a log whose transactions are not looked into: the baseline has a floor, and whatever objects one likes.
package enum LogTrim {
    /// Lets go of all that is covered; of everything that is applied without a vector.
    @discardableResult
    package static func trim(
        _ log: EventLog, before vector: VersionVector? = nil, objects: [Baseline.Object] = []
    ) throws -> TrimResult? {
        guard let point = try log.trimPoint(before: [vector ?? log.token.vector]) else { return nil }
        var writer = try log.makeBaseline()
        for body in try bodies(of: floor(of: point), objects) { try writer.append(body) }
        return try log.trim(to: point, writer)
    }

    package static func bodies(
        of floor: [Baseline.FloorEntry], _ objects: [Baseline.Object] = []
    ) throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        try BaselineWriter.write(Baseline(floor: floor, objects: objects)) { bodies.append($0) }
        return bodies
    }

    package static func floor(of point: TrimPoint) -> [Baseline.FloorEntry] {
        let table = point.state.branches
        return point.vector.entries.map { entry in
            let root = table.branches.first { $0.name == entry.origin }?.root ?? BranchRoot(origin: entry.origin)
            let known = point.chains[entry.origin]
            return Baseline.FloorEntry(
                branch: root, name: entry.origin, sequence: entry.sequence, chain: entry.chain,
                timestamp: Timestamp(rawValue: 1), start: known?.start ?? .zero, chains: known?.chains ?? [])
        }
    }
}
