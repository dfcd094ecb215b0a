import EventLog
import Storage

/// Why a sync refused or failed.
///
/// Match on ``code``; show ``description``, one sentence that names the place and says what to do.
public struct SyncError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Equatable {
        /// The shared folder is missing, or its file system refused; see ``SyncError/cause``.
        case folder
        /// What was named as the shared folder is a store.
        case notAFolder
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

    /// Runs `body`, which works on a shared folder; what it throws becomes a `SyncError`.
    ///
    /// Errors of the log are the store's, errors of the file system the folder's: what works on a store turns the latter into the former.
    static func wrap<Result>(_ folder: String, _ body: () throws -> Result) throws(SyncError) -> Result {
        do {
            return try body()
        } catch let error as SyncError {
            throw error
        } catch let error as StorageError {
            throw SyncError(.folder, "the shared folder \(folder) \(advice(error)): \(error)", cause: error)
        } catch {
            throw SyncError(.store, String(describing: error), cause: error)
        }
    }

    /// What is wrong with the folder, and what to do.
    private static func advice(_ error: StorageError) -> String {
        switch error.code {
        case .diskFull, .quotaExceeded:
            "is full; free space there: nothing is lost, and what is not published yet follows with the next sync"
        case .readOnlyFileSystem, .permissionDenied:
            "cannot be written to; what was in it was taken, mend its permissions to publish"
        case .notFound, .notDirectory, .inputOutput:
            "fails or is gone; see to its disk or mount it again, then sync again"
        default: "cannot be used as it is"
        }
    }
}
