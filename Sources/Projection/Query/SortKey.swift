/// One criterion of a sort order.
///
/// Null sorts first, then values as ``ValueOrder/sort(_:_:)`` says; descending turns all of it around. Objects that are equal
/// by all criteria follow the order of their ids, ascending.
public struct SortKey: Hashable, Sendable, CustomStringConvertible {
    public var path: PropertyPath
    public var ascending: Bool
    public var options: TextOptions

    public init(_ path: PropertyPath, ascending: Bool = true, options: TextOptions = []) {
        self.path = path
        self.ascending = ascending
        self.options = options
    }

    /// As it is parsed: `-title[cd]`.
    public var description: String { (ascending ? "" : "-") + "\(path)\(options)" }

    /// Reads `time,-magnitude,place[c]`: paths parted by commas, `-` before one for descending order.
    ///
    /// - Throws: ``PredicateError`` with the position of the first mistake.
    public static func parse(_ text: String) throws(PredicateError) -> [SortKey] {
        var reader = try PathListReader(text)
        var result: [SortKey] = []
        repeat {
            let ascending = !reader.accept("-")
            let path = try reader.path()
            result.append(SortKey(path, ascending: ascending, options: try reader.options()))
        } while reader.accept(",")
        try reader.finish()
        return result
    }

    /// The path in an entity.
    ///
    /// - Throws: ``PredicateError`` for an unknown property, or one with many values.
    func bound(to shape: EntityShape) throws(PredicateError) -> BoundPath {
        try path.bound(to: shape, use: "sort by")
    }
}

extension PropertyPath {
    /// The first meaning of the path, which must have one value per object.
    func bound(to shape: EntityShape, use: String) throws(PredicateError) -> BoundPath {
        guard let path = try BoundPath.candidates(of: self, in: shape).first else {
            throw PredicateError(.unknownProperty, "\(self) has no values", path: self)
        }
        if path.isToMany {
            throw PredicateError(.quantifier, "cannot \(use) \(self): it has many values; use \(self).@count", path: self)
        }
        return path
    }
}
