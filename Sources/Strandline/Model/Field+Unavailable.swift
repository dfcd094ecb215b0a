// What a wrong line of a schema says, instead of the compiler's guess among a dozen initialisers.
extension Field {
    @available(*, unavailable, message: "a field must be a stored `var`; a computed property is derived: remove its line")
    @_disfavoredOverload
    public init<V: Storable>(_ name: String, _ keyPath: KeyPath<Root, V>, _ options: FieldOption...) {
        preconditionFailure("unavailable")
    }

    @available(*, unavailable, message: "this type cannot be stored; make it Storable, or write Field(name, codable: keyPath)")
    @_disfavoredOverload
    public init<V>(_ name: String, _ keyPath: KeyPath<Root, V>, _ options: Any...) { preconditionFailure("unavailable") }

    @available(*, unavailable, message: "declare the reference as One<Entity>; the object's own id has no line")
    public init<Target>(_ name: String, _ keyPath: KeyPath<Root, EntityID<Target>>) { preconditionFailure("unavailable") }

    @available(*, unavailable, message: "a counter cannot be optional; one that was never changed is 0")
    public init(_ name: String, _ keyPath: KeyPath<Root, Counter?>) { preconditionFailure("unavailable") }
}
