public import EventLog

/// What a reference reads as.
public enum ResolvedReference: Hashable, Sendable {
    /// A visible object; of several that are one by their key, the representative.
    case object(ObjectID)
    /// None: never set, or what it referred to was deleted.
    case null
    /// An object that was deleted, under a delete rule that leaves the reference as it is.
    case dangling(ObjectID)
    /// An object whose creation has not arrived.
    case notHereYet(ObjectID)

    /// The visible object, if there is one.
    public var object: ObjectID? {
        if case .object(let id) = self { id } else { nil }
    }
}

extension FoldState {
    /// Reads a reference that `property` of a group of `entity` holds.
    ///
    /// One-to-one, it reads null in all but one of those that hold it, which is the one that the other end reads.
    package func read(
        _ target: ObjectID, through property: Property, of entity: WireName, by members: [ObjectID]
    ) -> ResolvedReference {
        if members.count == 1, isRegular(members[0]) { return .object(target) }
        let resolved = resolve(target, through: property, of: entity)
        guard schema.isOneToOne(property, in: entity), case .object(let object) = resolved else { return resolved }
        let holder = holder(among: referrers(of: object, through: property, of: entity))
        return holder == representative(among: members) ? resolved : .null
    }

    /// What a reference resolves to that `property` of an object of `entity` holds, whoever else holds one.
    package func resolve(_ target: ObjectID, through property: Property, of entity: WireName) -> ResolvedReference {
        if let representative = representative(of: target) { return .object(representative) }
        if length(of: target) == 0 { return .notHereYet(target) }
        switch schema.rule(of: property, in: entity) {
        case .nullify, .cascade: return .null
        case .deny, .noAction: return .dangling(target)
        }
    }
}
