public import EventLog
public import Projection

/// Why a store refused or failed.
///
/// Match on ``code``; show ``description``, one sentence that names what is concerned and says what to do.
///
/// ```swift
/// do { try await store.write { try $0.delete(owner.id) } } catch let error as StoreError where error.code == .denied {
///     print("still referred to by", error.objects.dropFirst())
/// }
/// ```
public struct StoreError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// Nothing there, something else there, or a store already there.
        case notFound, notAStore, alreadyExists
        /// Written by a version that this one does not know.
        case unsupportedVersion
        /// Acknowledged data is damaged. Nothing was changed.
        case corrupt
        /// The disk failed while committing: the transaction may or may not be there after reopening.
        case outcomeUnknown
        /// The store takes no writes: opened for reading only, or closed to writing by an earlier failure.
        case readOnly
        /// The store, the transaction or the snapshot is no longer in use.
        case closed
        /// From another dataset.
        case wrongDataset
        /// A token that does not parse, that covers what has not arrived, or whose history was trimmed away.
        case malformedToken, notYetReceived, historyExpired
        /// An option of opening with which the store could not work.
        case invalidOption
        /// Mistakes in the schema of the app's types.
        case invalidSchema
        /// A name that the store's schema does not have.
        case unknownEntity, unknownProperty
        /// A predicate, sort order or aggregate that does not fit; see ``StoreError/predicate``.
        case invalidPredicate
        /// The object was deleted, or is hidden because an object that owns it was.
        case deleted
        /// The object's creation has not arrived.
        case notHereYet
        /// A restore of an object that was not deleted.
        case notDeleted
        /// Objects with the delete rule `deny` refer to what was to be deleted.
        case denied
        /// Another object has the unique key.
        case duplicateKey
        /// An upsert without a complete unique key.
        case incompleteKey
        /// A value of another type than its property's, or two for one property; a change above a limit.
        case typeMismatch, tooLarge
        /// A blob that is not here, or whose bytes do not match its name.
        case blobMissing, blobDamaged, blobInUse
        /// Transactions from elsewhere that do not follow what is here, or that break a rule.
        case gap, invalidTransaction
        /// A store was read through itself inside a write: read through the transaction.
        case insideWrite
        /// Another process, or a write in progress, is in the way for a moment: try again.
        case busy
        /// The file system refused.
        case storage
    }

    public let code: Code
    /// What happened, to what, and what to do.
    public let description: String
    /// The objects concerned: first the one that was to be changed, then those in the way.
    public let objects: [ObjectID]
    /// What is wrong with a predicate, and where in its text.
    public let predicate: PredicateError?
    /// The log's error, with the file and offset concerned.
    public let underlying: LogError?

    package init(
        _ code: Code, _ description: String, objects: [ObjectID] = [], predicate: PredicateError? = nil,
        underlying: LogError? = nil
    ) {
        self.code = code
        self.description = description
        self.objects = objects
        self.predicate = predicate
        self.underlying = underlying
    }

    /// Whether the same call may succeed later by itself.
    public var isRetryable: Bool { code == .busy || underlying?.isRetryable ?? false }
}

extension StoreError {
    package init(_ error: LogError) { self.init(Code(error.code), error.description, underlying: error) }

    package init(_ error: ProjectionError) {
        self.init(Code(error.code), error.description, objects: error.objects)
    }

    package init(_ error: PredicateError) {
        let code: Code = error.code == .unknownProperty ? .unknownProperty : .invalidPredicate
        self.init(code, error.description, predicate: error)
    }

    package init(_ error: ChangeRefused) {
        switch error.reason {
        case .tooLarge, .tooManyInserts: self.init(.tooLarge, error.description)
        case .wrongType, .duplicateProperty, .invalidLength, .unprovenOldValue, .unorderedContext:
            self.init(.typeMismatch, error.description)
        }
    }

    /// The error of a write one of whose steps failed after some of its changes were made, and whose closure went on.
    static func halfway(_ error: any Error) -> any Error {
        guard let error = translated(error) as? StoreError else { return error }
        return StoreError(
            error.code,
            "\(error.description); some changes of the step had been made, so that nothing of the write was recorded",
            objects: error.objects, predicate: error.predicate, underlying: error.underlying)
    }

    /// An error of a floor below as one of the store; any other as it is.
    package static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as LogError: StoreError(error)
        case let error as ProjectionError: StoreError(error)
        case let error as PredicateError: StoreError(error)
        case let error as ChangeRefused: StoreError(error)
        default: error
        }
    }

    /// Runs `body`, turning errors of the floors below into the store's.
    package static func wrap<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw translated(error) }
    }
}

extension StoreError.Code {
    init(_ code: LogError.Code) {
        self =
            switch code {
            case .notFound: .notFound
            case .notAStore: .notAStore
            case .alreadyExists: .alreadyExists
            case .unsupportedVersion: .unsupportedVersion
            case .corrupt: .corrupt
            case .outcomeUnknown: .outcomeUnknown
            case .readOnly: .readOnly
            case .closed: .closed
            case .wrongDataset: .wrongDataset
            case .malformedToken: .malformedToken
            case .notYetReceived: .notYetReceived
            case .forked, .historyExpired: .historyExpired
            case .gap: .gap
            case .invalidTransaction: .invalidTransaction
            case .tooLarge: .tooLarge
            case .blobMissing: .blobMissing
            case .blobDamaged: .blobDamaged
            case .blobInUse: .blobInUse
            case .storage: .storage
            }
    }

    init(_ code: ProjectionError.Code) {
        self =
            switch code {
            case .deleted: .deleted
            case .notHereYet: .notHereYet
            case .notDeleted: .notDeleted
            case .deniedByReferrers: .denied
            case .duplicateKey: .duplicateKey
            case .incompleteKey: .incompleteKey
            case .typeMismatch: .typeMismatch
            case .unknownRelationship: .unknownProperty
            }
    }
}
