public import EventLog
public import Projection
import Storage
import SyncProtocol
import Transports

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
        /// There is nothing at the place: check the path, or let opening create a store.
        case notFound
        /// There is something else at the place: choose another directory.
        case notAStore
        /// A store, or some file, is at the place already: open that one, or choose an empty directory.
        case alreadyExists
        /// Written by a version that this one does not know: use the newer one.
        case unsupportedVersion
        /// Acknowledged data is damaged, and nothing was changed: verify the store, and repair it from a replica or a backup.
        case corrupt
        /// The disk failed while committing: the transaction may or may not be there, which opening the store again shows.
        case outcomeUnknown
        /// The store takes no writes, opened for reading or closed to writing by an earlier failure: open it again, for writing.
        case readOnly
        /// The store, the transaction or the snapshot is no longer in use: open, begin or take another.
        case closed
        /// It belongs to another dataset: use what comes from a replica of this one.
        case wrongDataset
        /// A text or bytes that are no token: pass on tokens whole, as they were given.
        case malformedToken
        /// Something is covered that has not arrived here: sync with a replica that has it.
        case notYetReceived
        /// The history that a token refers to is not kept any more, or is of a branch that is unknown here: begin from the state as
        /// it is now.
        case historyExpired
        /// An option, size or number with which nothing can be done: give one within the bounds that the description names.
        case invalidOption
        /// Mistakes in the schema of the app's types, all of which the description lists: mend them.
        case invalidSchema
        /// An entity that the store does not know: check its name, or give its type when opening.
        case unknownEntity
        /// A property that the entity does not have: check its wire name.
        case unknownProperty
        /// A predicate, sort order or aggregate that does not fit: ``StoreError/predicate`` says what, and where in its text.
        case invalidPredicate
        /// The object was deleted, or is hidden because an object that owns it was: restore it first, or leave it.
        case deleted
        /// The object's creation has not arrived: sync with a replica that has it, or insert it first.
        case notHereYet
        /// What was to be restored was not deleted: update it instead.
        case notDeleted
        /// Objects with the delete rule `deny` refer to what was to be deleted: delete or change those in ``StoreError/objects`` first.
        case denied
        /// Another object has the unique key: change that one, or upsert.
        case duplicateKey
        /// An upsert without a complete unique key: set every property of the key.
        case incompleteKey
        /// A value of another type than its property's, or two for one property: give one of the type that is declared.
        case typeMismatch
        /// A change above a limit that the description names: split it, or put the bytes into a blob.
        case tooLarge
        /// The blob's bytes are not here: sync with a replica that has them.
        case blobMissing
        /// The blob's bytes do not match its name: sync with a replica that has it whole.
        case blobDamaged
        /// The blob is being read or written: evict it later.
        case blobInUse
        /// Transactions from elsewhere that do not follow what is here: receive the earlier ones first.
        case gap
        /// Transactions from elsewhere that break a rule, and were refused: have their writer's store verified.
        case invalidTransaction
        /// A store was read through itself inside a write: read through the transaction.
        case insideWrite
        /// The peer, or the way to it, is not there: check the address, or try again later.
        case peerUnreachable
        /// The two ends do not trust each other: let each trust the other's device, or run as a user who may.
        case untrusted
        /// The other end does not speak the protocol, or broke its rules: check the address and the versions.
        case badPeer
        /// The peer cannot take part at the moment: see its own messages.
        case refusedByPeer
        /// A connection ended before all was exchanged: sync again, it goes on where it was.
        case interrupted
        /// Somebody else is in the way, or has moved what was being read: try again, a snapshot after taking it again.
        case busy
        /// The file system refused, as the description says: a full disk, a missing permission, a device that fails.
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

    /// Whether the same call may succeed later by itself; of a snapshot, once it has been taken again.
    public var isRetryable: Bool {
        switch code {
        case .busy, .peerUnreachable, .interrupted, .refusedByPeer: true
        default: underlying?.isRetryable ?? false
        }
    }
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

    /// The same with the place of what is wrong with a predicate in the one of some texts that it was read from.
    package func located(in texts: [String]) -> StoreError {
        guard let predicate, predicate.position == nil else { return self }
        let located = texts.lazy.map { predicate.located(in: $0) }.first { $0.position != nil }
        return located.map { StoreError($0) } ?? self
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
        case let error as StorageError: StoreError(LogError(error))
        case let error as ProjectionError: StoreError(error)
        case let error as PredicateError: StoreError(error)
        case let error as ChangeRefused: StoreError(error)
        case let error as TransportError: StoreError(error)
        case let error as SyncError: StoreError(error)
        default: error
        }
    }

    /// Any error as one of the store; `what` introduces those that no floor below knows.
    package static func of(_ error: any Error, _ what: String = "") -> StoreError {
        translated(error) as? StoreError ?? StoreError(.storage, what + String(describing: error))
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
