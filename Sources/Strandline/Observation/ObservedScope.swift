import EventLog
import Projection

/// Which changes may make a request give something else.
///
/// Too many rather than too few: that a value is looked up without need costs time only.
struct ObservedScope: Sendable {
    /// Entities whose properties the request reads.
    private let read: Set<WireName>
    /// Entities that relationships lead to from there, in any number of steps and in either direction: an object's owner hides it
    /// when it goes, and what refers to it is among its values.
    private let connected: Set<WireName>

    init(_ request: FetchDescription, in schema: SchemaState) {
        let entity = WireName(request.entity)
        var read: Set<WireName> = [entity]
        for path in request.filter.paths + request.sort.map(\.path) { read.formUnion(path.entities(from: entity, in: schema)) }
        self.read = read
        connected = Self.connected(to: read, in: schema)
    }

    func isConcerned(by changes: ChangedNames) -> Bool {
        changes.isGeneral || !read.isDisjoint(with: changes.entities) || !connected.isDisjoint(with: changes.linked)
    }

    private static func connected(to start: Set<WireName>, in schema: SchemaState) -> Set<WireName> {
        var neighbours: [WireName: Set<WireName>] = [:]
        for entity in schema.names {
            for field in schema.fields(of: entity) {
                guard let target = field.relationship.map({ WireName($0.target) }) else { continue }
                neighbours[entity, default: []].insert(target)
                neighbours[target, default: []].insert(entity)
            }
        }
        var found = start
        var next = Array(start)
        while let entity = next.popLast() {
            for other in neighbours[entity] ?? [] where found.insert(other).inserted { next.append(other) }
        }
        return found
    }
}

extension PropertyPath {
    /// The entities that the path passes through, or ends at.
    fileprivate func entities(from entity: WireName, in schema: SchemaState) -> [WireName] {
        var found: [WireName] = []
        var entity = entity
        for name in names {
            let targets = schema.fields(of: entity).lazy.filter { $0.property.name.utf8.elementsEqual(name.utf8) }
                .compactMap { $0.relationship?.target }
            guard let target = targets.first else { break }
            entity = WireName(target)
            found.append(entity)
        }
        return found
    }
}

extension Filter {
    /// All paths that it reads, in no order.
    fileprivate var paths: [PropertyPath] {
        switch self {
        case .always: []
        case .comparison(let comparison): ([comparison.left] + comparison.right).flatMap(\.paths)
        case .and(let parts), .or(let parts): parts.flatMap(\.paths)
        case .not(let part): part.paths
        }
    }
}

extension Operand {
    fileprivate var paths: [PropertyPath] {
        switch self {
        case .path(let path): [path]
        case .constant: []
        case .arithmetic(let left, _, let right): left.paths + right.paths
        }
    }
}
