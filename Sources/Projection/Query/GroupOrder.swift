import EventLog

/// The order of groups: by their keys, one after the other, nulls first.
enum GroupOrder {
    static func sorted(_ groups: [GroupedFetch.Group]) -> [GroupedFetch.Group] {
        guard let leads = leads(groups.lazy.map(\.keys.first)) else { return groups.sorted { precedes($0.keys, $1.keys) } }
        return order(leads) { precedes(groups[$0].keys, groups[$1].keys) }.map { groups[Int($0)] }
    }

    /// The places of texts in the order that groups have by them.
    static func order(of texts: [String]) -> [UInt32] {
        func precedes(_ a: Int, _ b: Int) -> Bool { TextOrder.compare(texts[a], texts[b]) < 0 }
        guard let leads = leads(texts.lazy.map { .some(.string($0)) }) else {
            return texts.indices.sorted(by: precedes).map { UInt32($0) }
        }
        return order(leads, precedes)
    }

    /// Most comparisons look at the leads alone, and count no references.
    private static func order(_ leads: [SortPlace.Lead], _ precedes: (Int, Int) -> Bool) -> [UInt32] {
        let places = leads.indices.map { (lead: leads[$0], place: UInt32($0)) }.sorted { a, b in
            a.lead != b.lead ? a.lead < b.lead : precedes(Int(a.place), Int(b.place))
        }
        return places.map(\.place)
    }

    private static func precedes(_ a: [Value], _ b: [Value]) -> Bool {
        for index in a.indices {
            let order = ValueOrder.sort(a[index], b[index])
            if order != 0 { return order < 0 }
        }
        return false
    }

    /// What orders first keys, as far as 64 bits tell; nil if they are of several types, or of one that bits
    /// tell nothing of.
    private static func leads(_ keys: some Collection<Value?>) -> [SortPlace.Lead]? {
        var only: ValueType?
        var leads: [SortPlace.Lead] = []
        leads.reserveCapacity(keys.count)
        for key in keys {
            guard let key, let lead = lead(key) else { return nil }
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
