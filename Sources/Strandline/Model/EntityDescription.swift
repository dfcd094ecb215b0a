/// A ``Schema`` without its entity's type.
struct EntityDescription: Sendable {
    /// The wire name.
    let name: String
    let version: UInt32
    /// The Swift type, and its name for messages.
    let type: ObjectIdentifier
    let typeName: String
    let fields: [FieldDescription]
    /// Every declared key, compound ones and fields marked unique; more than one is reported.
    let uniqueKeys: [[any AnyKeyPath & Sendable]]
    /// The stored properties of the Swift type, found by reflection when asked for.
    let storedProperties: @Sendable () -> [ReflectedProperty]

    /// The field that a key path stands for.
    func field(at keyPath: AnyKeyPath) -> FieldDescription? { fields.first { $0.keyPath == keyPath } }
}
