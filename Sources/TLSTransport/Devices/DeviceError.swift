public import Storage

/// Why a device id, this device's key, or the list of trusted devices cannot be used.
///
/// Match on ``code``; show ``description``.
public struct DeviceError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The text is no device id; the message names the group that is mistyped.
        case badDeviceID
        /// The name of a device is too long, or no single line.
        case badName
        /// The file with this device's key is not as it was written.
        case damagedKey
        /// The file with the trusted devices has a line that is none.
        case damagedTrustList
        /// A file cannot be read or written; ``DeviceError/cause`` says why.
        case storage
        /// OpenSSL refused.
        case cryptography
    }

    public var code: Code
    /// What happened, to which file, and what to do: whole sentences.
    public var message: String
    /// What the file system said.
    public var cause: StorageError?

    init(_ code: Code, _ message: String, cause: StorageError? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    init(_ cause: StorageError) {
        self.init(.storage, "\(cause)", cause: cause)
    }

    /// Whether the same call may succeed later by itself.
    public var isRetryable: Bool { cause?.isRetryable ?? false }

    public var description: String { message }
}
