import EventLog
import Projection
import Storage

/// What a request selects in a state: where each object is, in the order of the request.
struct FoundObjects {
    let reader: StateReader
    let source: ScanSource<RunBlock, StateRow>
    let findings: ScanFindings
    /// By what they were found; nil for a scan.
    let access: PointAccess?
    let statistics: ScanStatistics
    let fetch: BoundFetch

    var ids: [ObjectID] { findings.ids }

    /// Some of what was found.
    subscript(places: Range<Int>) -> FoundObjects {
        let findings = ScanFindings(ids: Array(findings.ids[places]), positions: Array(findings.positions[places]))
        return FoundObjects(
            reader: reader, source: source, findings: findings, access: access, statistics: statistics, fetch: fetch)
    }

    /// The objects as a type has them.
    ///
    /// - Throws: what reading a block throws.
    func objects<Root: Entity>(_ codec: TypedCodec<Root>) throws -> [Root] {
        try reader.decode(findings, in: source, codec)
    }
}

extension StateReader {
    /// Objects as a type has them: those in blocks column by column, the others one by one.
    ///
    /// - Throws: what reading a block throws.
    func decode<Root: Entity>(
        _ findings: ScanFindings, in source: ScanSource<RunBlock, StateRow>, _ codec: TypedCodec<Root>
    ) throws -> [Root] {
        var roots = codec.rows(findings.ids)
        let picks = BlockPick.all(of: findings.positions, among: source.blocks)
        let columns = codec.columns.filter(\.isRegister)
        let blobs = box.blobs
        try withSharedRows(writing: &roots) { shared in
            _ = try BlockThreads.parts(of: picks, mayUseThreads: true) { picks in
                try shared.withRawRows { rows in
                    for pick in picks {
                        for column in columns {
                            guard let values = try pick.block.column(column.property) else { continue }
                            column.decode(values, pick.stretches, into: rows, blobs)
                        }
                    }
                }
            }
        }
        for (place, position) in findings.positions.enumerated() where position.block == nil {
            roots[place] = decode(source.rows[position.row], codec)
        }
        for column in codec.columns where !column.isRegister {
            let targets = try RelatedObjects(self, codec.declaration.name, column.field).targets(of: picks, ids: findings.ids)
            withRawRows(writing: &roots) { rows in
                for (place, targets) in targets { column.decode(targets, into: rows, place) }
            }
        }
        return roots
    }
}
