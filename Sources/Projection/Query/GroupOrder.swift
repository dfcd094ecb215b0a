import EventLog

/// The order of groups: by their keys, one after the other, nulls first.
enum GroupOrder {
    static func sorted(_ groups: [GroupedFetch.Group]) -> [GroupedFetch.Group] {
        guard let leads = leads(groups) else { return groups.sorted { precedes($0.keys, $1.keys) } }
        // Most comparisons look at the leads alone, and count no references.
        let places = groups.indices.map { (lead: leads[$0], group: $0) }.sorted { a, b in
            a.lead != b.lead ? a.lead < b.lead : precedes(groups[a.group].keys, groups[b.group].keys)
        }
        return places.map { groups[$0.group] }
    }

    private static func precedes(_ a: [Value], _ b: [Value]) -> Bool {
        for index in a.indices {
            let order = ValueOrder.sort(a[index], b[index])
            if order != 0 { return order < 0 }
        }
        return false
    }

    /// What orders groups by their first keys, as far as 64 bits tell; nil if the keys are of several types, or of one that bits
    /// tell nothing of.
    private static func leads(_ groups: [GroupedFetch.Group]) -> [SortPlace.Lead]? {
        var only: ValueType?
        var leads: [SortPlace.Lead] = []
        leads.reserveCapacity(groups.count)
        for group in groups {
            guard let key = group.keys.first, let lead = lead(key) else { return nil }
            if let type = key.type {
                if let only, type != only { return nil }
                only = type
            }
            leads.append(lead)
        }
        return leads
    }

    private static func lead(_ key: Value) -> SortPlace.Lead? {
        guard let type = key.type, !SortPlace.hasLead(type) else { return SortPlace.Lead(key) }
        guard case .string(let text) = key else { return nil }
        // The first eight bytes; but the scalars of what is not ASCII are those of its composition.
        var bits: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            if byte >= 0x80 { return nil }
            if count < 8 { bits |= UInt64(byte) << UInt64(56 - 8 * count) }
            count += 1
        }
        return SortPlace.Lead(rank: 1, bits: bits)
    }
}
