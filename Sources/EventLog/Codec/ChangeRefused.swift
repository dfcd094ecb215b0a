import Storage

/// Why a change cannot be part of a transaction.
///
/// The transaction itself is as it was before, unless it says otherwise.
package struct ChangeRefused: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// More bytes than the change, name, author or context may have.
        case tooLarge(size: Int, limit: Int)
        /// A value, counter or edge that the column cannot hold.
        case wrongType
        /// One property twice in one change.
        case duplicateProperty
        /// A causal length that the kind of change does not have, such as a delete with an odd one.
        case invalidLength(UInt32)
        /// An old value without the stamp of its write, or the reverse.
        case unprovenOldValue
        /// A context that does not ascend by origin.
        case unorderedContext
        /// More inserts than an index can count.
        case tooManyInserts
    }

    package let reason: Reason
    /// The entity concerned, or "author" or "context".
    package let subject: String
    package let property: Property?

    package init(_ reason: Reason, _ subject: String, property: Property? = nil) {
        self.reason = reason
        self.subject = subject
        self.property = property
    }

    package var description: String {
        let place = property.map { "\(subject).\($0.name)" } ?? subject
        return switch reason {
        case .tooLarge(let size, let limit):
            property == nil
                ? "\(place) has \(size) bytes; at most \(limit) are allowed"
                : "\(place) makes a change of \(size) bytes, at most \(limit) are allowed; keep large values in a Blob"
        case .wrongType: "\(place) cannot hold a value of this type"
        case .duplicateProperty: "\(place) is set twice in one change"
        case .invalidLength(let length): "a change of \(place) cannot have the causal length \(length)"
        case .unprovenOldValue: "\(place) has an old value without its stamp, or a stamp without its value"
        case .unorderedContext: "\(place) must ascend by origin, without the transaction's own"
        case .tooManyInserts: "\(place): a transaction can insert at most 4,294,967,295 objects"
        }
    }
}
