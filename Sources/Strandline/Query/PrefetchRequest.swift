import EventLog
import Projection

/// A ``FetchRequest`` together with the objects that a relationship of what it selects leads to.
///
/// ```swift
/// for (post, attachments) in try store.fetch(Post.all.limit(50).prefetching(\.attachments)) { show(post, attachments) }
/// ```
public struct PrefetchRequest<Root: Entity, Target: Entity>: Sendable {
    /// Which objects, in which order, how many.
    public let request: FetchRequest<Root>
    private let targets: @Sendable (Root) -> [EntityID<Target>]

    init(_ request: FetchRequest<Root>, _ targets: @escaping @Sendable (Root) -> [EntityID<Target>]) {
        self.request = request
        self.targets = targets
    }

    /// Puts to each object what its relationship leads to.
    ///
    /// - Parameter read: gives objects of many ids at once, each with its id; those that are not there are left out.
    func join<E: Error>(
        _ roots: [Root], _ read: ([ObjectID]) throws(E) -> [Target]
    ) throws(E) -> [(object: Root, related: [Target])] {
        let ids = roots.map(targets)
        let related = try read(Set(ids.joined().map(\.object)).sorted())
        let places = Dictionary(related.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })
        return zip(roots, ids).map { root, ids in (root, ids.compactMap { places[$0] }.map { related[$0] }) }
    }
}

extension FetchRequest {
    /// With the objects at the other end of a relationship, read for all objects in one pass.
    public func prefetching<Target: Entity>(
        _ keyPath: any KeyPath<Root, Many<Target>> & Sendable
    ) -> PrefetchRequest<Root, Target> {
        PrefetchRequest(self) { $0[keyPath: keyPath].ids }
    }

    /// With the object at the other end of a relationship, read for all objects in one pass.
    public func prefetching<Target: Entity>(
        _ keyPath: any KeyPath<Root, One<Target>> & Sendable
    ) -> PrefetchRequest<Root, Target> {
        PrefetchRequest(self) { $0[keyPath: keyPath].map { [$0] } ?? [] }
    }
}

extension StateReader {
    fileprivate func fetch<Root: Entity, Target: Entity>(
        _ request: PrefetchRequest<Root, Target>, _ schemas: SchemaSet
    ) throws(StoreError) -> [(object: Root, related: [Target])] {
        let roots = try fetch(request.request, try schemas.codec(Root.self))
        let codec = try schemas.codec(Target.self)
        return try request.join(roots) { (ids) throws(StoreError) in try objects(ids, codec) }
    }
}

extension Store {
    /// The objects that a request selects, each with those that its relationship leads to.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func fetch<Root: Entity, Target: Entity>(
        _ request: PrefetchRequest<Root, Target>
    ) throws -> [(object: Root, related: [Target])] {
        let schemas = engine.schemas
        return try engine.read { try $0.fetch(request, schemas) }
    }
}

extension Snapshot {
    /// See ``Store/fetch(_:)-(PrefetchRequest<Root,Target>)``.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func fetch<Root: Entity, Target: Entity>(
        _ request: PrefetchRequest<Root, Target>
    ) throws -> [(object: Root, related: [Target])] {
        try answer { try $0.fetch(request, schemas) }
    }
}
