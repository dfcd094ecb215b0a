package import EventLog

/// What takes a transaction back, and what of it cannot be taken back any more.
package struct UndoPlan: Hashable, Sendable {
    package struct Leftover: Hashable, Sendable {
        package enum Reason: Int, Hashable, Sendable {
            /// A later or winning write holds.
            case overwritten
            /// The object was deleted, or deleted and restored, since.
            case gone
            /// The inserted object cannot be deleted: others refer to it under the rule deny.
            case denied
        }

        package var object: ObjectID
        /// Nil for the object itself.
        package var property: Property?
        package var reason: Reason

        package init(object: ObjectID, property: Property? = nil, reason: Reason) {
            self.object = object
            self.property = property
            self.reason = reason
        }
    }

    /// In an order in which they can be applied.
    package var changes: [Change] = []
    /// Ascending by object and property.
    package var leftovers: [Leftover] = []

    package init() {}
}
