package import EventLog

/// Some thousand objects of one entity by columns: what a scan reads.
///
/// Row i is the object `ids[i]`; ids ascend. All values are those of the object's own record: what hides an object, makes it one
/// with another, or makes a reference lead elsewhere is no business of a block.
package protocol ScanBlock {
    /// How many rows it has.
    var count: Int { get }
    /// What is known of a column without reading it; nil when the block has no value of it at all, so that every row reads as null.
    func bounds(_ property: Property) -> ColumnBounds?
    /// Reads a column; nil when the block has no value of it at all.
    ///
    /// - Throws: what reading throws; a block that is damaged says so here.
    func column(_ property: Property) throws -> ColumnBlock?
    /// The texts of a column as numbers of a pool, for whoever wants to tell them apart only; nil when they are in none.
    ///
    /// - Throws: what reading throws.
    func texts(_ property: Property) throws -> PooledTexts?
    /// Reads the ids.
    func ids() throws -> [ObjectID]
    /// Rows that do not count, because a newer version of the object is elsewhere, or because it is treated one by one: bit
    /// `row % 64` of word `row / 64`. Nil for none.
    var excluded: [UInt64]? { get }
    /// The first and the last id, as far as they are known without reading them.
    var idBounds: ClosedRange<ObjectID>? { get }
}

extension ScanBlock {
    package var idBounds: ClosedRange<ObjectID>? { nil }
    package func texts(_ property: Property) throws -> PooledTexts? { nil }
}

/// What is known of a column of a block without reading it.
package struct ColumnBounds: Hashable, Sendable {
    /// Whether a row of the block reads as null: by a null, or by having no value.
    package var hasNull: Bool
    /// Bounds of all values that are not null, both included; nil when unknown, or when there is none.
    ///
    /// They hold in the order that comparisons use. Of strings they may be prefixes: the lower bound is cut, the upper one is cut
    /// and raised. A column with a NaN has none.
    package var lowest: Value?
    package var highest: Value?

    package init(hasNull: Bool, lowest: Value? = nil, highest: Value? = nil) {
        self.hasNull = hasNull
        self.lowest = lowest
        self.highest = highest
    }
}
