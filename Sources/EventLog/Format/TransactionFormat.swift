/// The constants of transactions and of what carries them: SPEC.md, sections 1 and 3.
package enum TransactionFormat {
    /// The kinds of change groups.
    package enum Kind: UInt8, Sendable {
        case insert = 1, update = 2, delete = 3, restore = 4, edge = 5, increment = 6, schema = 7, rename = 8
        /// May be skipped: it says why other changes were made.
        case undo = 0x89

        /// An unknown kind with this bit may be skipped; any other needs a newer version.
        package static let skippable: UInt8 = 0x80
    }

    /// The flags of a part.
    package enum Flag {
        package static let void: UInt8 = 1 << 0
        package static let continuation: UInt8 = 1 << 1
    }

    /// The flags of a field in a schema record.
    enum FieldFlag {
        static let optional: UInt8 = 1 << 0
        static let indexed: UInt8 = 1 << 1
        static let relationship: UInt8 = 1 << 2
    }

    /// The flags of a relationship in a schema record.
    enum RelationshipFlag {
        static let toMany: UInt8 = 1 << 0
    }

    /// How a presence is stored.
    enum PresenceForm {
        static let all: UInt8 = 0
        static let none: UInt8 = 1
        static let bits: UInt8 = 2
    }

    /// How the replicas of several objects or stamps are stored.
    enum ReplicaForm {
        static let common: UInt8 = 0
        static let each: UInt8 = 1
    }

    package static let batchVersion: UInt8 = 1
    package static let partVersion: UInt8 = 1

    // Limits that a reader refuses to pass.

    /// No sequence, LSN or ordinal reaches it, so whoever counts on from one never overflows.
    package static let numberLimit: UInt64 = 1 << 62
    package static let maximumPart = 1 << 20
    /// Of a first part: flags, timestamp, author, context and three tables, all empty.
    static let minimumPart = 1 + 8 + 1 + 1 + 3
    package static let maximumAuthor = 1024
    package static let maximumName = 255
    package static let maximumContext = 10_000
    package static let maximumInlineBlob = 65_536
    /// Values, null or not, that the groups of a part may describe; see ``cells(rows:columns:)``.
    ///
    /// Bounds what a part unfolds to.
    package static let maximumCells = 1 << 18

    // Where a writer stops of its own accord.
    package static let preferredPart = 960 << 10
    package static let preferredGroupRows = 4096
    package static let preferredGroupBytes = 256 << 10
    package static let preferredGroupCells = 1 << 16

    /// What a group of `rows` changes with `columns` columns counts against ``maximumCells``.
    ///
    /// A column of an update counts twice.
    static func cells(rows: Int, columns: Int) -> Int { rows * (columns + 1) }
}
