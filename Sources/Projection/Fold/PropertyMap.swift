package import EventLog

// Invariants
// * `entries` ascend by key, each key once.

/// Values by property: a sorted array, for objects have few properties and there are many objects.
package struct PropertyMap<Value> {
    package typealias Element = (key: Property, value: Value)

    private var entries: [Element] = []

    package init() {}

    /// - Parameter entries: ascending by key, each key once.
    init(ascending entries: [Element]) { self.entries = entries }

    package subscript(property: Property) -> Value? {
        get { place(of: property).map { entries[$0].value } }
        set {
            let (place, isThere) = slot(for: property)
            if let newValue {
                if isThere { entries[place].value = newValue } else { entries.insert((property, newValue), at: place) }
            } else if isThere {
                entries.remove(at: place)
            }
        }
    }

    package subscript(property: Property, default filler: @autoclosure () -> Value) -> Value {
        get { self[property] ?? filler() }
        _modify {
            let (place, isThere) = slot(for: property)
            if !isThere { entries.insert((property, filler()), at: place) }
            yield &entries[place].value
        }
    }

    package var keys: some Sequence<Property> { entries.lazy.map(\.key) }

    /// Sets the value of a property, unless it has one that is to stay.
    mutating func set(_ property: Property, _ value: Value, unless stays: (Value) -> Bool) {
        let (place, isThere) = slot(for: property)
        if !isThere {
            entries.insert((property, value), at: place)
        } else if !stays(entries[place].value) {
            entries[place].value = value
        }
    }

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    private func place(of property: Property) -> Int? {
        guard entries.count > Self.few else { return entries.firstIndex { $0.key == property } }
        let place = firstPlace(notBefore: property)
        return place < entries.count && entries[place].key == property ? place : nil
    }

    /// Up to so many are looked at one after the other, which is quicker then.
    private static var few: Int { 16 }

    /// The first place whose property does not come before one, by halving.
    private func firstPlace(notBefore property: Property) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < property { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a property is, or is to be put.
    ///
    /// Written ones come in order more often than not, so the end is looked at first.
    private func slot(for property: Property) -> (place: Int, isThere: Bool) {
        var place = entries.count
        if place > Self.few, property < entries[place - 1].key {
            let place = firstPlace(notBefore: property)
            return (place, entries[place].key == property)
        }
        while place > 0 {
            let held = entries[place - 1].key
            if held == property { return (place - 1, true) }
            if held < property { return (place, false) }
            place -= 1
        }
        return (0, false)
    }
}

extension PropertyMap: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { entries.count }

    package subscript(place: Int) -> Element { entries[place] }
}

extension PropertyMap: Sendable where Value: Sendable {}

extension PropertyMap: Equatable where Value: Equatable {
    package static func == (a: Self, b: Self) -> Bool {
        a.entries.elementsEqual(b.entries) { $0.key == $1.key && $0.value == $1.value }
    }
}

extension PropertyMap: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) {
        for entry in entries {
            hasher.combine(entry.key)
            hasher.combine(entry.value)
        }
    }
}
