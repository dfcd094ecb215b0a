import EventLog
import Projection
import Storage

/// Answers questions about one state: what a store, a transaction and a snapshot have in common.
struct StateReader {
    let box: StateBox

    var state: FoldState { box.state }

    /// What predicates may say of an entity.
    ///
    /// - Throws: `unknownEntity`.
    func shape(of entity: String) throws(StoreError) -> EntityShape {
        guard let shape = Self.shape(of: entity, in: box.state.schema) else { throw unknown(entity) }
        return shape
    }

    /// The refusal of an entity that the store does not have.
    func unknown(_ entity: String) -> StoreError {
        let names = box.state.schema.names.map(\.text)
        let nearest = NearestName.of(entity, among: names).map { "; did you mean \($0)?" }
        let known = names.isEmpty ? "; it has none yet" : "; it has \(names.joined(separator: ", "))"
        return StoreError(.unknownEntity, "the store has no entity \(entity)\(nearest ?? known)")
    }

    private static func shape(of entity: String, in schema: SchemaState) -> EntityShape? {
        schema.declaration(of: WireName(entity)).map { EntityShape($0, entity: { shape(of: $0, in: schema) }) }
    }

    func bound(_ request: FetchDescription) throws(StoreError) -> BoundFetch {
        try bound(request, to: try shape(of: request.entity))
    }

    private func bound(_ request: FetchDescription, to shape: EntityShape) throws(StoreError) -> BoundFetch {
        try translated { () throws(PredicateError) in try request.bound(to: shape) }
    }

    /// What a request selects, in order.
    func find(_ request: FetchDescription) throws(StoreError) -> FoundObjects {
        let shape = try shape(of: request.entity)
        let bound = try bound(request, to: shape)
        return try scanning(bound.filter, shape) { source, access, statistics in
            let findings = try ScanFetch(bound).find(in: source, mayUseThreads: true, statistics: &statistics)
            return FoundObjects(
                reader: self, source: source, findings: findings, access: access, statistics: statistics, fetch: bound)
        }
    }

    /// The ids of the objects that a request selects, in order.
    func ids(_ request: FetchDescription) throws(StoreError) -> [ObjectID] { try find(request).ids }

    func count(_ request: FetchDescription) throws(StoreError) -> Int {
        let shape = try shape(of: request.entity)
        let bound = try bound(request, to: shape)
        return try scanning(bound.filter, shape) { source, _, statistics in
            try ScanCount(bound).execute(over: source, mayUseThreads: true, statistics: &statistics)
        }
    }

    func groups(
        _ entity: String, _ filter: Filter, by keys: [PropertyPath], _ aggregates: [Aggregate], having: Filter? = nil
    ) throws(StoreError) -> [GroupedFetch.Group] {
        let shape = try shape(of: entity)
        let fetch = try translated { () throws(PredicateError) in
            try GroupedFetch(filter: filter, groupBy: keys, aggregates: aggregates, having: having, in: shape)
        }
        return try scanning(fetch.filter, shape) { source, _, statistics in
            try ScanGroups(fetch).execute(over: source, mayUseThreads: true, statistics: &statistics)
        }
    }

    func fetch<Root: Entity>(_ request: FetchRequest<Root>, _ codec: TypedCodec<Root>) throws(StoreError) -> [Root] {
        let found = try find(request.description)
        return try noting { try found.objects(codec) }
    }

    /// Objects of which it is known where they are.
    func objects<Root: Entity>(
        _ findings: ScanFindings, in source: ScanSource<RunBlock, StateRow>, _ codec: TypedCodec<Root>
    ) throws(StoreError) -> [Root] {
        try noting { try decode(findings, in: source, codec) }
    }

    func fetch<Root: Entity, each V: Storable>(
        _ selection: Selection<Root, repeat each V>
    ) throws(StoreError) -> [(repeat each V)] {
        let found = try find(selection.request.description)
        return try noting { try found.tuples(selection) }
    }

    /// What a request selects without Swift types, as the request names properties.
    func plainRows(_ request: FetchDescription) throws(StoreError) -> [Row] {
        let found = try find(request)
        return try noting { try found.plainRows(of: request.entity, request.properties) }
    }

    func get<Root: Entity>(_ id: ObjectID, _ codec: TypedCodec<Root>) -> Root? {
        let entity = WireName(codec.declaration.name)
        guard let row = StateRow(id, in: box, likely: entity), row.entity == entity else { return nil }
        return decode(row, codec)
    }

    func related(to id: ObjectID, by name: String) -> [ObjectID] {
        StateRow(id, in: box)?.related(by: name).map(\.id).sorted() ?? []
    }

    func decode<Root: Entity>(_ row: StateRow, _ codec: TypedCodec<Root>) -> Root {
        codec.decode(row.id, source: box.blobs, value: { row.stored($0) }, targets: { row.related(through: $0) })
    }

    private func translated<Result>(_ body: () throws(PredicateError) -> Result) throws(StoreError) -> Result {
        do throws(PredicateError) { return try body() } catch { throw StoreError(error) }
    }

    /// Lets `body` look at the objects among which are all that a filter selects.
    private func scanning<Result>(
        _ filter: BoundFilter, _ shape: EntityShape,
        _ body: (ScanSource<RunBlock, StateRow>, PointAccess?, inout ScanStatistics) throws -> Result
    ) throws(StoreError) -> Result {
        try noting {
            var statistics = ScanStatistics()
            let compiled = try CompiledFilter(filter)
            guard let (access, ids) = state.candidates(for: compiled, in: shape) else {
                return try body(scan(of: shape.name), nil, &statistics)
            }
            let (entity, box) = (WireName(shape.name), box)
            let rows = ids.compactMap { StateRow($0, in: box, likely: entity) }.filter { $0.entity == entity }
            return try body(ScanSource(blocks: [], rows: rows, row: { StateRow($0, in: box) }), access, &statistics)
        }
    }

    /// Runs what reads blocks.
    func noting<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do { return try body() } catch let error as PredicateError {
            throw StoreError(error)
        } catch {
            // A block that cannot be read: whoever looks at the runs afterwards begins anew.
            (state.objects.base as? RunSet)?.note(StorageError.of(error))
            throw StoreError.of(error, "a run cannot be read: ")
        }
    }

    /// The objects of an entity: in the blocks of runs what reads as its own record says, one by one what does not, and what is in
    /// memory.
    func scan(of entity: String) -> ScanSource<RunBlock, StateRow> {
        let entity = WireName(entity)
        let box = box
        var single: [ObjectID] = []
        var blocks: [RunBlock] = []
        if let base = state.objects.base as? RunSet, let irregular = state.irregular {
            state.objects.visitInMemory { id, record in
                if record.isAlive, record.entity == entity { single.append(id) }
            }
            var marks = base.members.map(\.superseded)
            for row in state.objects.rowsHidden(in: base) { marks[row.member].insert(row.row) }
            for id in irregular.ids where !state.objects.isInMemory(id) {
                guard let row = base.findRow(of: id) else { continue }
                marks[row.member].insert(row.row)
                single.append(id)
            }
            blocks = zip(base.members, marks).flatMap { member, marks in
                member.run.blocks(of: entity).map { $0.excluding(marks) }
            }
        } else {
            state.objects.visit(of: [entity]) { id, _ in single.append(id) }
        }
        let rows = single.sorted().compactMap { id -> StateRow? in
            guard let row = StateRow(id, in: box), row.id == id, row.entity == entity else { return nil }
            return row
        }
        return ScanSource(blocks: blocks, rows: rows, row: { StateRow($0, in: box) })
    }
}
