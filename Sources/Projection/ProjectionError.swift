public import EventLog

/// Why a write or a lookup was refused by what is in the store.
///
/// Match on ``code``; show ``description``. Trying the same again succeeds only after something was written or has arrived.
public struct ProjectionError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: String, Sendable, Equatable {
        /// The object was deleted, or is hidden because an object that owns it was.
        case deleted
        /// The object's creation has not arrived.
        case notHereYet
        /// A restore of an object that was not deleted.
        case notDeleted
        /// Objects with the delete rule `deny` refer to what was to be deleted.
        case deniedByReferrers
        /// Another object has the unique key.
        case duplicateKey
        /// An upsert without a complete unique key.
        case incompleteKey
        /// A value of another type than its property's, or a property that does not hold such values.
        case typeMismatch
        /// No such relationship is declared.
        case unknownRelationship
    }

    public let code: Code
    /// What happened and what to do, for people.
    public let description: String
    /// The objects concerned: first the one that was to be changed, then those in the way.
    public let objects: [ObjectID]

    package init(_ code: Code, _ description: String, _ objects: [ObjectID] = []) {
        self.code = code
        self.description = description
        self.objects = objects
    }
}
