import Storage

/// What a device is known by: the SHA-256 of its public key.
///
/// ```swift
/// print(identity.id)                       // 13 groups of five letters and digits
/// let id = try DeviceID("gr0up-…")         // as it was typed: small letters, spaces, O for 0
/// ```
///
/// Whoever holds the key is the device; nobody can make another key with the same id. Its text has a check character in
/// each group, see ``description``.
public struct DeviceID: Sendable, Hashable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// - Parameter publicKey: As `SubjectPublicKeyInfo` in DER, as it stands in a certificate.
    init(publicKey: Span<UInt8>) { bytes = SHA256.hash(publicKey) }

    /// Nil unless there are 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }
}
