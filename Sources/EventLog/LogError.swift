public import Storage

/// Why the log refused or failed.
///
/// Match on ``code``; show ``description``, one sentence that names the file or origin and says what to do.
public struct LogError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Equatable {
        /// Nothing there, something else there, or a store already there.
        case notFound, notAStore, alreadyExists
        /// Written by a version, or with a feature, that this one does not know.
        case unsupportedVersion
        /// Acknowledged data is damaged. Nothing was changed.
        case corrupt
        /// A failed sync: what was being committed may or may not be there after reopening.
        case outcomeUnknown
        /// The log takes no writes: opened for reading, or closed to writing by an earlier failure.
        case readOnly
        case closed
        /// From another dataset.
        case wrongDataset
        /// A token that does not parse, that names transactions not received, a branch unknown here, or history trimmed away.
        case malformedToken, notYetReceived, forked, historyExpired
        /// Received transactions that do not follow what is here: earlier ones are missing, or the bytes break a rule.
        case gap, invalidTransaction
        /// A change or transaction above a limit.
        case tooLarge
        /// A blob that is not here, or whose bytes do not match its name.
        case blobMissing, blobDamaged, blobInUse
        /// The file system refused; see ``LogError/underlying``.
        case storage
    }

    public var code: Code
    /// What happened, to what, and what to do: a whole sentence without a full stop.
    public var message: String
    /// The file concerned, and where in it.
    public var path: String?
    public var offset: UInt64?
    public var underlying: StorageError?

    public init(
        _ code: Code, _ message: String, path: String? = nil, offset: UInt64? = nil, underlying: StorageError? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
        self.underlying = underlying
    }

    /// The file system refused.
    public init(_ error: StorageError) {
        self.init(.storage, error.description, path: error.path, offset: error.offset, underlying: error)
    }

    /// What to do about a damaged file of a store.
    static let restoration = "restore it from a backup or repair the store from a replica"

    /// Whether the same call may succeed later by itself.
    public var isRetryable: Bool { underlying?.isRetryable ?? false }

    public var description: String {
        guard underlying == nil || code != .storage, let path else { return message }
        guard let offset else { return "\(message) (\(path))" }
        return "\(message) (\(path), offset \(offset))"
    }

    /// Runs `body`, turning what the file system says into an error of the log.
    package static func wrap<Result>(_ body: () throws(StorageError) -> Result) throws(LogError) -> Result {
        do throws(StorageError) { return try body() } catch { throw LogError(error) }
    }

    /// Runs `body`, which reads bytes of `path`; malformed ones mean damage.
    package static func damage<Result>(
        in path: String, at base: UInt64 = 0, _ body: () throws(StorageError) -> Result
    ) throws(LogError) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            if error.code == .unsupported || error.code == .newerVersion {
                throw LogError(
                    .unsupportedVersion, "\(error.detail ?? "something unknown"); it needs a newer version of Strandline",
                    path: path,
                    underlying: error)
            }
            guard error.code == .malformed else { throw LogError(error) }
            throw LogError(
                .corrupt,
                "damaged: \(error.detail ?? "malformed bytes"); verify the store and repair it from a replica or a backup",
                path: path, offset: base + (error.offset ?? 0), underlying: error)
        }
    }
}
