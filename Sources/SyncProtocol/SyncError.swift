import EventLog
import Storage

/// Why a sync refused or failed.
///
/// Match on ``code``; show ``description``, one sentence that names the place and says what to do.
public struct SyncError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Equatable {
        /// The shared folder is missing, or its file system refused; see ``SyncError/cause``.
        case folder
        /// This store, or the other one, failed; see ``SyncError/cause``.
        case store
        /// The other side has another dataset.
        case wrongDataset
    }

    public var code: Code
    /// What happened, to what, and what to do: a whole sentence without a full stop.
    public var message: String
    /// The ``LogError`` or `StorageError` behind it, or what the caller's own code threw.
    public var cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// Whether the same call may succeed later by itself.
    public var isRetryable: Bool {
        (cause as? LogError)?.isRetryable ?? (cause as? StorageError)?.isRetryable ?? false
    }

    public var description: String { message }

    /// Runs `body`; what it throws becomes a `SyncError`.
    ///
    /// Errors of the log are the store's, errors of the file system the folder's: what works on a store turns the latter into the former.
    static func wrap<Result>(_ body: () throws -> Result) throws(SyncError) -> Result {
        do {
            return try body()
        } catch let error as SyncError {
            throw error
        } catch let error as StorageError {
            throw SyncError(.folder, "the shared folder: \(error)", cause: error)
        } catch {
            throw SyncError(.store, String(describing: error), cause: error)
        }
    }
}
