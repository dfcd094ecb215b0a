extension Store {
    /// The ids of the objects that a request selects, in its order: a few bytes each, whatever the objects hold.
    ///
    /// ```swift
    /// for id in try store.ids(of: Post.all) { if let post = try store.get(id) { check(post) } }
    /// ```
    ///
    /// - Throws: ``StoreError`` `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func ids<Root: Entity>(of request: FetchRequest<Root>) throws -> [EntityID<Root>] {
        try engine.read { try $0.ids(request.description).map { EntityID($0) } }
    }
}
