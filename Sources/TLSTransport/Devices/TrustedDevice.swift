/// A device that may sync with this one.
public struct TrustedDevice: Sendable, Hashable {
    public var id: DeviceID
    /// What its owner calls it; may be empty.
    public var name: String
    /// When it was trusted, in milliseconds since 1970.
    public var addedAt: UInt64

    public init(id: DeviceID, name: String, addedAt: UInt64) {
        self.id = id
        self.name = name
        self.addedAt = addedAt
    }
}
