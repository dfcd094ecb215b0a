/// A type that a property may have, kept as one ``Value``: Bool, the integers, Double, Float, String, Date, UUID, Data,
/// `[UInt8]`, optionals of these, and enums or structs with a raw value of these.
///
/// An enum needs only the name: `enum Status: String, Storable { case draft, published }`. A raw value that this version of
/// the app does not know reads as the property's default, and stays in the store until the property is set.
/// Other `Codable` types are stored with `Field("name", codable: \.name)`.
public protocol Storable: Codable, Sendable {
    /// The type of the column.
    static var valueType: ValueType { get }
    /// Whether null can be stored.
    static var isOptional: Bool { get }
    /// What is stored.
    var storedValue: Value { get }
    /// Nil when the value is not one of this type: the property then keeps its default.
    init?(storedValue: Value)
}

extension Storable {
    public static var isOptional: Bool { false }
}

extension Storable where Self: RawRepresentable, RawValue: Storable {
    public static var valueType: ValueType { RawValue.valueType }
    public static var isOptional: Bool { RawValue.isOptional }
    public var storedValue: Value { rawValue.storedValue }
    public init?(storedValue: Value) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Optional: Storable where Wrapped: Storable {
    public static var valueType: ValueType { Wrapped.valueType }
    public static var isOptional: Bool { true }
    public var storedValue: Value { self?.storedValue ?? .null }
    public init?(storedValue: Value) {
        if storedValue == .null {
            self = .none
        } else {
            guard let wrapped = Wrapped(storedValue: storedValue) else { return nil }
            self = .some(wrapped)
        }
    }
}
