internal import Storage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A line of a ``Schema``: the wire name of a stored property, its key path, and the rules that hold for it.
///
/// ```swift
/// Field("title", \.title, .indexed)
/// Field("views", \.views)
/// Field("settings", codable: \.settings)
/// Field("attachments", \.attachments, inverse: \.post, onDelete: .cascade)
/// ```
///
/// The wire name is what the log and other replicas know the property by: it stays when the Swift property is renamed. Computed
/// properties are derived and have no line.
public struct Field<Root: Entity>: SchemaLine {
    let description: FieldDescription

    /// A property of one of the ``Storable`` types.
    /// - Parameters:
    ///   - name: the wire name, unique in the entity.
    ///   - keyPath: a stored `var`.
    ///   - options: `.indexed` to record that objects are found by it, `.unique` to make it the entity's unique key.
    public init<V: Storable>(_ name: String, _ keyPath: any WritableKeyPath<Root, V> & Sendable, _ options: FieldOption...) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: options, access: property.map { .column(ColumnAccess.to($0)) })
    }

    /// A property of any `Codable` type, stored as JSON with sorted keys.
    ///
    /// It can be neither indexed nor unique, and a change of any part of it is a change of the whole.
    public init<V: Codable & Sendable>(_ name: String, codable keyPath: any WritableKeyPath<Root, V> & Sendable) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map {
                .column(
                    ColumnAccess(
                        type: .data, isOptional: false, $0, encode: { .data(try CodableText.encode($0)) },
                        decode: { CodableText.decode($0) }))
            })
    }

    /// An optional property of any `Codable` type, stored as JSON with sorted keys, or as null.
    public init<V: Codable & Sendable>(_ name: String, codable keyPath: any WritableKeyPath<Root, V?> & Sendable) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map {
                .column(
                    ColumnAccess(
                        type: .data, isOptional: true, $0,
                        encode: { value in try value.map { .data(try CodableText.encode($0)) } ?? .null },
                        decode: { value -> V?? in value == .null ? .some(nil) : CodableText.decode(value).map { .some($0) } }))
            })
    }

    /// A number that replicas change by addition.
    public init(_ name: String, _ keyPath: any WritableKeyPath<Root, Counter> & Sendable) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map {
                .column(
                    ColumnAccess(
                        type: .counter, isOptional: false, $0, encode: { .counter($0.value) },
                        decode: { value in
                            guard case .counter(let sum) = value else { return nil }
                            return Counter(sum)
                        }))
            })
    }

    /// A large value that is loaded on demand.
    public init(_ name: String, _ keyPath: any WritableKeyPath<Root, Blob> & Sendable) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map { property in
                .blob(
                    Accessor(
                        get: { property.get($0, $1) },
                        set: { rows, row, blob in
                            if let blob { property.set(rows, row, blob) }
                        }), isOptional: false)
            })
    }

    /// A large value that is loaded on demand, or nil.
    public init(_ name: String, _ keyPath: any WritableKeyPath<Root, Blob?> & Sendable) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map { property in
                .blob(
                    Accessor(get: { property.get($0, $1) }, set: { property.set($0, $1, $2) }), isOptional: true)
            })
    }

    init(
        _ name: String, _ keyPath: any AnyKeyPath & Sendable, _ offset: Int?, options: [FieldOption], access: FieldAccess?,
        relation: RelationDescription? = nil
    ) {
        description = FieldDescription(
            name: name, keyPath: keyPath, isIndexed: options.contains(.indexed), isUnique: options.contains(.unique),
            access: access, offset: offset, relation: relation)
    }
}

/// What a ``Field`` may be declared as.
public struct FieldOption: Hashable, Sendable {
    private let name: String

    /// The app finds and sorts objects by the property: a wish, recorded with the schema for all replicas.
    ///
    /// Fetches go through its column as through that of any other property, passing over blocks by their bounds.
    public static let indexed = FieldOption(name: "indexed")

    /// The property is the entity's unique key.
    ///
    /// Objects with the same value, not null, are one object, also when they were created on two replicas. For a key of
    /// several properties see ``Unique``.
    public static let unique = FieldOption(name: "unique")
}
