package import EventLog

/// By what the objects that a filter selects were found, where no scan was needed.
package enum PointAccess: Hashable, Sendable {
    /// By an id that the filter names.
    case id
    /// By the unique key, of which the filter gives every part.
    case key([String])
    /// By what they refer to through a property.
    case reference(Property)
}

extension FoldState {
    /// More objects than these are tested by a scan of columns sooner than one by one.
    private static var mostReferrers: Int { 512 }

    /// Objects of an entity among which are all that a filter selects: by their id, their unique key, or what they refer to.
    ///
    /// Nil when the filter says nothing of the kind.
    package func candidates(
        for filter: CompiledFilter, in shape: EntityShape
    ) -> (access: PointAccess, ids: [ObjectID])? {
        let entity = WireName(shape.name)
        if let ids = filter.ownIDs, ids.count <= Self.mostReferrers {
            return (.id, Set(ids.compactMap { representative(of: $0) }).sorted())
        }
        let equalities = filter.necessary.compactMap { condition -> PropertyValue? in
            // A number equals those of other types too, which are stored differently.
            guard let value = condition.test.soleValue, value.type == condition.property.type else { return nil }
            return PropertyValue(condition.property, value)
        }
        let names = schema.key(of: entity)
        if !names.isEmpty, let key = Self.key(names, equalities, shape) {
            return (.key(names), lookup(entity, key: key).map { [$0] } ?? [])
        }
        for equality in equalities {
            guard case .reference(let target) = equality.value else { continue }
            var found: Set<ObjectID> = []
            for member in Set(members(of: target)).union([target]) {
                for end in registers(referringTo: member) { if let id = representative(of: end.object) { found.insert(id) } }
            }
            if found.count <= Self.mostReferrers { return (.reference(equality.property), found.sorted()) }
        }
        return nil
    }

    /// The values of a key, in its order; nil when not all of them are given.
    ///
    /// Not where a name has columns of several types, for an object's key may then be in another one.
    private static func key(_ names: [String], _ given: [PropertyValue], _ shape: EntityShape) -> [Value]? {
        var key: [Value] = []
        for name in names {
            guard shape.fields[WireName(name)]?.types.count == 1,
                let value = given.first(where: { WireName($0.property.name) == WireName(name) })?.value
            else { return nil }
            key.append(value)
        }
        return key
    }
}

extension CompiledFilter {
    /// The ids of which an object must have one.
    fileprivate var ownIDs: [ObjectID]? {
        switch self {
        case .path(let path, nil, .compare(.equal, .reference(let id))) where path.hops.isEmpty && path.end == .object: [id]
        case .path(let path, nil, .among(let keys, _)) where path.hops.isEmpty && path.end == .object:
            keys.compactMap { if case .reference(let id) = $0.value { id } else { nil } }
        case .and(let filters): filters.lazy.compactMap(\.ownIDs).first
        default: nil
        }
    }
}

extension ColumnTest {
    /// The one stored value that it holds for; nil when others are equal to it, such as 0.0 to -0.0, or texts with other scalars.
    fileprivate var soleValue: Value? {
        switch self {
        case .compare(.equal, let value):
            switch value {
            case .int, .bool, .uuid, .data, .reference: value
            default: nil
            }
        case .text(let test):
            test.comparator == .equal && test.isExact && Self.isAlone(test.operand) ? .string(test.operand) : nil
        default: nil
        }
    }

    /// Whether no other text is canonically equivalent: of ASCII, all but three characters have no double.
    private static func isAlone(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "K") }
    }
}
