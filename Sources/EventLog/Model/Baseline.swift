package import Storage

/// What replaces all transactions at or below a floor: the fold's result with everything a later merge needs (SPEC.md, 5.9).
package struct Baseline: Hashable, Sendable {
    /// The branches whose transactions are folded in, each up to its floor, in ascending order of their names.
    package var floor: [FloorEntry]
    /// The declarations known at the floor, each with the write that gave it.
    package var schema: [SchemaEntry]
    /// In ascending order of their ids.
    ///
    /// Left out are objects whose creation the floor covers, that were deleted once, and for which nothing waits.
    package var objects: [Object]

    package init(floor: [FloorEntry] = [], schema: [SchemaEntry] = [], objects: [Object] = []) {
        self.floor = floor
        self.schema = schema
        self.objects = objects
    }

    /// How far a branch is folded in.
    package struct FloorEntry: Hashable, Sendable {
        package var branch: BranchRoot
        /// What its transactions are known as; the origin itself unless it was forked.
        package var name: ReplicaID
        package var sequence: UInt64
        /// The chain at `sequence`.
        package var chain: Digest128
        /// The timestamp of the last transaction folded in.
        package var timestamp: Timestamp
        /// The latest context entry for each origin, up to `sequence`; ascending by origin.
        package var context: [ContextEntry]
        /// When the first transaction of a branch that left another one was written; zero of others.
        package var start: Timestamp
        /// In an origin that forked, the chains of this name's transactions up to `sequence`, from the one before the first fork on: what
        /// writers call by a name may be on another branch.
        package var chains: [Digest128]

        package init(
            branch: BranchRoot, name: ReplicaID, sequence: UInt64, chain: Digest128, timestamp: Timestamp,
            context: [ContextEntry] = [], start: Timestamp = .zero, chains: [Digest128] = []
        ) {
            self.branch = branch
            self.name = name
            self.sequence = sequence
            self.chain = chain
            self.timestamp = timestamp
            self.context = context
            self.start = start
            self.chains = chains
        }
    }

    /// Adds an entry of the floor; one that goes on with the chains of the last is joined to it.
    package mutating func join(_ entry: FloorEntry) {
        guard let last = floor.indices.last, floor[last].name == entry.name else { return floor.append(entry) }
        floor[last].chains += entry.chains
    }

    /// A declaration, or the part of one that still holds.
    package struct SchemaEntry: Hashable, Sendable {
        package var stamp: Stamp
        package var declaration: EntityDeclaration

        package init(stamp: Stamp, declaration: EntityDeclaration) {
            self.stamp = stamp
            self.declaration = declaration
        }
    }

    /// An object with all that is kept of it.
    package struct Object: Hashable, Sendable {
        package var id: ObjectID
        /// Nil when nothing that names the entity has arrived.
        package var entity: String?
        /// When it came to life under its length; zero when it has not.
        package var created: Timestamp
        /// The causal length; 0 when no insert, delete or restore has arrived.
        package var length: UInt32
        /// Ascending by (property, length).
        package var registers: [Register] = []
        /// Ascending by (property, length, origin).
        package var sums: [CounterSum] = []
        /// Those that this object owns; ascending by (property, target, owner length).
        package var edges: [Edge] = []

        package init(id: ObjectID, entity: String?, created: Timestamp, length: UInt32) {
            self.id = id
            self.entity = entity
            self.created = created
            self.length = length
        }
    }

    /// The winning write of a property under one causal length.
    package struct Register: Hashable, Sendable {
        package var property: Property
        package var length: UInt32
        /// Set by an update rather than by an insert or a restore.
        package var isExplicit: Bool
        package var stamp: Stamp
        package var value: Value

        package init(property: Property, length: UInt32, isExplicit: Bool, stamp: Stamp, value: Value) {
            self.property = property
            self.length = length
            self.isExplicit = isExplicit
            self.stamp = stamp
            self.value = value
        }
    }

    /// The increments of a counter by one origin under one causal length.
    package struct CounterSum: Hashable, Sendable {
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

    /// The highest length of an edge under one length of its owner.
    package struct Edge: Hashable, Sendable {
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
}
