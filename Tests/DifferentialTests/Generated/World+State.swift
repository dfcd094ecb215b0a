import EventLog
import Projection

extension World {
    /// The visible objects of a state, each read by itself as the definition of a merge has it.
    init(_ state: FoldState) {
        self.init(state.schema.names.compactMap { state.schema.declaration(of: $0) }.map { Model($0) })
        // Ordinals ascend as ids do.
        let ids = models.flatMap { state.objects(of: WireName($0.name)) }.sorted()
        for id in ids {
            guard let row = state.row(id), let model = model(row.entity) else { continue }
            var values: [String: Value] = [:]
            for column in model.columns {
                if case .value(let value)? = row[Property(column.name, column.type)] { values[column.name] = value }
            }
            for reference in model.references {
                switch row[Property(reference.name, .reference)] {
                case .reference(.object(let target)), .reference(.dangling(let target)), .reference(.notHereYet(let target)):
                    values[reference.name] = .reference(target)
                case .reference(.null): values[reference.name] = .null
                case .value, nil: break
                }
            }
            insert(id, row.entity, values)
            for collection in model.collections where collection.storage == .edges {
                for target in state.edges(from: id, Property(collection.name, .edges)) { setEdge(id, target, isPresent: true) }
            }
        }
        index()
    }
}

extension Model {
    /// What a filter sees of an entity: of a name with two types, the column that a string fits.
    init(_ declaration: EntityDeclaration) {
        var columns: [Column] = []
        var references: [Reference] = []
        var collections: [Collection] = []
        for field in declaration.fields {
            let name = field.property.name
            guard let relationship = field.relationship else {
                let column = Column(name: name, type: field.property.type, flavour: .tame, nulls: 0, absences: 0)
                if let place = columns.firstIndex(where: { $0.name == name }) {
                    if column.type == .string { columns[place] = column }
                } else {
                    columns.append(column)
                }
                continue
            }
            if relationship.storage == .register {
                references.append(Reference(name: name, target: relationship.target, inverse: relationship.inverse))
            } else {
                collections.append(
                    Collection(
                        name: name, target: relationship.target, inverse: relationship.inverse ?? "",
                        storage: relationship.storage))
            }
        }
        self.init(name: declaration.name, columns: columns, references: references, collections: collections)
    }
}
