package import EventLog
package import Storage

/// The result of a fold in log format: it stands for all transactions at or below its floor (SPEC.md, section 5.9).
package struct Baseline: Hashable, Sendable {
    /// Ascending by name.
    package var floor: [FloorEntry]
    /// Merged in any order they give the schema.
    package var schema: [SchemaRecord]
    /// Ascending by id.
    ///
    /// An object whose creation the floor covers and that is not here was deleted.
    package var objects: [BaselineObject]

    package init(floor: [FloorEntry] = [], schema: [SchemaRecord] = [], objects: [BaselineObject] = []) {
        self.floor = floor
        self.schema = schema
        self.objects = objects
    }

    /// Branch name to the last sequence that the baseline stands for.
    package var vector: [ReplicaID: UInt64] {
        Dictionary(uniqueKeysWithValues: floor.map { ($0.name, $0.sequence) })
    }
}

/// How far a baseline stands for one branch.
package struct FloorEntry: Hashable, Sendable {
    package var branch: BranchRoot
    package var name: ReplicaID
    package var sequence: UInt64
    package var chain: Digest128
    package var timestamp: Timestamp
    /// The accumulated context of the last transaction, by branch name, ascending.
    package var context: [ContextEntry]

    package init(
        branch: BranchRoot, name: ReplicaID, sequence: UInt64, chain: Digest128, timestamp: Timestamp, context: [ContextEntry]
    ) {
        self.branch = branch
        self.name = name
        self.sequence = sequence
        self.chain = chain
        self.timestamp = timestamp
        self.context = context
    }
}

/// An object of a baseline.
///
/// The parts ascend by property, length, and origin or target.
package struct BaselineObject: Hashable, Sendable {
    package struct HeldRegister: Hashable, Sendable {
        package var property: Property
        package var length: UInt32
        package var register: Register

        package init(property: Property, length: UInt32, register: Register) {
            self.property = property
            self.length = length
            self.register = register
        }
    }

    package struct HeldSum: Hashable, Sendable {
        package var property: Property
        package var length: UInt32
        package var origin: ReplicaID
        package var sum: Int64

        package init(property: Property, length: UInt32, origin: ReplicaID, sum: Int64) {
            self.property = property
            self.length = length
            self.origin = origin
            self.sum = sum
        }
    }

    package struct HeldEdge: Hashable, Sendable {
        package var property: Property
        package var target: ObjectID
        package var ownerLength: UInt32
        package var length: UInt32

        package init(property: Property, target: ObjectID, ownerLength: UInt32, length: UInt32) {
            self.property = property
            self.target = target
            self.ownerLength = ownerLength
            self.length = length
        }
    }

    package var id: ObjectID
    /// Nil when no change named it.
    package var entity: String?
    /// When it came to life under its length; zero while it is not alive.
    package var created: Timestamp
    package var length: UInt32
    package var registers: [HeldRegister] = []
    package var counters: [HeldSum] = []
    package var edges: [HeldEdge] = []

    package init(id: ObjectID, entity: String?, created: Timestamp, length: UInt32) {
        self.id = id
        self.entity = entity
        self.created = created
        self.length = length
    }
}
