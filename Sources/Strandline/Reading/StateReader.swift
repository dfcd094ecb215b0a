import EventLog
import Projection

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
        let shape = try shape(of: request.entity)
        do throws(PredicateError) { return try request.bound(to: shape) } catch { throw StoreError(error) }
    }

    /// The rows that a request selects, in order.
    func rows(_ request: FetchDescription) throws(StoreError) -> [StateRow] {
        let bound = try bound(request)
        do throws(PredicateError) {
            return try bound.execute(over: rows(of: request.entity), rowsAreByID: true)
        } catch {
            throw StoreError(error)
        }
    }

    func count(_ request: FetchDescription) throws(StoreError) -> Int {
        let bound = try bound(request)
        do throws(PredicateError) {
            return try bound.count(over: rows(of: request.entity))
        } catch {
            throw StoreError(error)
        }
    }

    func groups(
        _ entity: String, _ filter: Filter, by keys: [PropertyPath], _ aggregates: [Aggregate]
    ) throws(StoreError) -> [GroupedFetch.Group] {
        let shape = try shape(of: entity)
        do throws(PredicateError) {
            let fetch = try GroupedFetch(filter: filter, groupBy: keys, aggregates: aggregates, in: shape)
            return try fetch.execute(over: rows(of: entity))
        } catch {
            throw StoreError(error)
        }
    }

    func fetch<Root: Entity>(_ request: FetchRequest<Root>, _ codec: TypedCodec<Root>) throws(StoreError) -> [Root] {
        try rows(request.description).map { decode($0, codec) }
    }

    func get<Root: Entity>(_ id: ObjectID, _ codec: TypedCodec<Root>) -> Root? {
        guard let row = StateRow(id, in: box), row.entity == WireName(codec.declaration.name) else { return nil }
        return decode(row, codec)
    }

    func related(to id: ObjectID, by name: String) -> [ObjectID] {
        StateRow(id, in: box)?.related(by: name).map(\.id).sorted() ?? []
    }

    func decode<Root: Entity>(_ row: StateRow, _ codec: TypedCodec<Root>) -> Root {
        let fields = codec.declaration.fields
        return codec.decode(
            row.id, source: box.blobs,
            value: { property in
                // A to-one that is kept at the other end has no register here.
                let derived = fields.first { $0.property == property && $0.relationship?.storage == .inverse }
                guard let derived else { return row.stored(property) }
                return row.related(through: derived).first.map { .reference($0) }
            },
            targets: { property in
                fields.first { $0.property == property }.map { row.related(through: $0) } ?? []
            })
    }

    private func rows(of entity: String) -> some Sequence<StateRow> {
        let box = box
        return box.state.objects(of: WireName(entity)).lazy.compactMap { StateRow($0, in: box) }
    }
}
