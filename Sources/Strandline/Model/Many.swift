/// References to any number of objects: `var attachments = Many<Attachment>()`.
///
/// A set, in ascending order of ids. A fetched object carries the ids, never the objects. An update closure edits it like a value:
///
/// ```swift
/// try tx.update(post.id) { $0.tags.insert(tag.id) }
/// ```
///
/// What is recorded is the difference between what the closure saw and what it left, one addition or removal at a time, so
/// that additions made elsewhere at the same time stay. Where the other end is a ``One``, the relationship is kept there: then
/// an addition sets the other object's reference to this object, and a removal sets it to nil.
public struct Many<Target: Entity>: Hashable, Sendable {
    /// The ids, ascending, each once.
    public private(set) var ids: [EntityID<Target>]

    /// No objects.
    public init() { ids = [] }

    /// The given objects, in any order; repeated ids count once.
    public init(_ ids: some Sequence<EntityID<Target>>) {
        self.ids = []
        for id in ids.sorted() where id != self.ids.last { self.ids.append(id) }
    }

    /// Adds an object.
    /// - Returns: whether it was not there yet.
    @discardableResult
    public mutating func insert(_ id: EntityID<Target>) -> Bool {
        let place = position(of: id)
        if place < ids.count, ids[place] == id { return false }
        ids.insert(id, at: place)
        return true
    }

    /// Removes an object from the relationship; the object itself stays.
    /// - Returns: whether it was there.
    @discardableResult
    public mutating func remove(_ id: EntityID<Target>) -> Bool {
        let place = position(of: id)
        guard place < ids.count, ids[place] == id else { return false }
        ids.remove(at: place)
        return true
    }

    /// Whether the object is among them, found by bisection.
    public func contains(_ id: EntityID<Target>) -> Bool {
        let place = position(of: id)
        return place < ids.count && ids[place] == id
    }

    /// The first place whose id is not below `id`.
    private func position(of id: EntityID<Target>) -> Int {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Many: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { ids.count }
    public subscript(position: Int) -> EntityID<Target> { ids[position] }
}

extension Many: ExpressibleByArrayLiteral {
    /// The given objects: `post.tags = [red.id, blue.id]`.
    public init(arrayLiteral elements: EntityID<Target>...) { self.init(elements) }
}

extension Many: Codable {
    public init(from decoder: any Decoder) throws { self.init(try [EntityID<Target>](from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try ids.encode(to: encoder) }
}
