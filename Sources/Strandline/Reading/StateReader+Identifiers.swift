import EventLog
import Projection

extension StateReader {
    /// Objects by their ids, which ascend: by whole columns where many are in one block.
    ///
    /// Those that are not there, or of another entity, are left out.
    func objects<Root: Entity>(_ ids: [ObjectID], _ codec: TypedCodec<Root>) throws(StoreError) -> [Root] {
        let entity = WireName(codec.declaration.name)
        let regular = (state.objects.base as? RunSet)?.locate(
            ids.filter { state.isRegular($0) && !state.objects.isInMemory($0) }, of: entity)
        var (known, positions, rows): ([ObjectID], [ScanPosition], [StateRow]) = ([], [], [])
        for id in ids {
            if let position = regular?.positions[id] {
                positions.append(position)
            } else if let row = StateRow(id, in: box, likely: entity), row.entity == entity, row.id == id {
                positions.append(ScanPosition(beside: rows.count))
                rows.append(row)
            } else {
                continue
            }
            known.append(id)
        }
        let findings = ScanFindings(ids: known, positions: positions)
        return try objects(findings, in: ScanSource(blocks: regular?.blocks ?? [], rows: rows), codec)
    }

    /// The objects of some ids, nil where there is none.
    func get<Root: Entity>(_ ids: [EntityID<Root>], _ codec: TypedCodec<Root>) throws(StoreError) -> [Root?] {
        let found = try objects(Set(ids.map(\.object)).sorted(), codec)
        let places = Dictionary(found.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })
        return ids.map { id in places[id].map { found[$0] } ?? get(id.object, codec) }
    }
}
