// The only unsafe file of the typed face. What it relies on:
//
// * `MemoryLayout.offset(of:)` is not nil, so the property is stored inline at that offset of every `Root`.
// * A `RawRows` is lent for the length of a closure and cannot be copied, so its pointer does not outlive the array.
// * Every access checks that the rows are of the property's `Root`, and that the row is one of them.
// * A `SharedRows` is lent for the length of a closure too; those who share it assign to different rows, and the lender waits for
//   all of them.
// * Rows lent for reading are never assigned to; `isWritable` is checked.
import Projection

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Rows of one entity, lent by ``withRawRows(writing:_:)`` to code that does not know the entity's type.
@safe
struct RawRows: ~Copyable {
    /// The entity's type.
    let root: ObjectIdentifier
    let count: Int
    fileprivate let base: UnsafeMutableRawPointer?
    fileprivate let stride: Int
    fileprivate let isWritable: Bool
}

/// Lends rows for reading and assigning.
func withRawRows<Root, Result>(
    writing rows: inout [Root], _ body: (borrowing RawRows) throws -> Result
) rethrows -> Result {
    unsafe try rows.withUnsafeMutableBufferPointer { buffer in
        unsafe try body(
            RawRows(
                root: ObjectIdentifier(Root.self), count: buffer.count, base: UnsafeMutableRawPointer(buffer.baseAddress),
                stride: MemoryLayout<Root>.stride, isWritable: true))
    }
}

/// Lends one row for reading and assigning.
func withRawRow<Root, Result>(writing row: inout Root, _ body: (borrowing RawRows) throws -> Result) rethrows -> Result {
    unsafe try withUnsafeMutablePointer(to: &row) { pointer in
        unsafe try body(
            RawRows(
                root: ObjectIdentifier(Root.self), count: 1, base: UnsafeMutableRawPointer(pointer),
                stride: MemoryLayout<Root>.stride, isWritable: true))
    }
}

/// Lends rows for reading.
func withRawRows<Root, Result>(reading rows: [Root], _ body: (borrowing RawRows) throws -> Result) rethrows -> Result {
    unsafe try rows.withUnsafeBufferPointer { buffer in
        unsafe try body(
            RawRows(
                root: ObjectIdentifier(Root.self), count: buffer.count,
                base: UnsafeMutableRawPointer(mutating: UnsafeRawPointer(buffer.baseAddress)),
                stride: MemoryLayout<Root>.stride, isWritable: false))
    }
}

/// Lends one row for reading.
func withRawRow<Root, Result>(reading row: Root, _ body: (borrowing RawRows) throws -> Result) rethrows -> Result {
    unsafe try withUnsafePointer(to: row) { pointer in
        unsafe try body(
            RawRows(
                root: ObjectIdentifier(Root.self), count: 1, base: UnsafeMutableRawPointer(mutating: UnsafeRawPointer(pointer)),
                stride: MemoryLayout<Root>.stride, isWritable: false))
    }
}

/// As many rows as asked for, made by several threads where they are many.
func newRows<Root: Sendable>(_ count: Int, _ make: @escaping @Sendable (Int) -> Root) -> [Root] {
    let step = 4_096
    let starts = Array(stride(from: 0, to: count, by: step))
    return unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
        let memory = unsafe NewRows(base: buffer.baseAddress)
        BlockThreads.run(over: starts) { starts in
            for start in starts { for row in start..<min(count, start + step) { memory.initialize(row, make(row)) } }
        }
        initialized = count
    }
}

/// Memory for rows, each of which one thread makes.
@safe
private struct NewRows<Root>: @unchecked Sendable {  // No lock: no two threads have the same row.
    private let base: UnsafeMutablePointer<Root>?

    init(base: UnsafeMutablePointer<Root>?) { unsafe self.base = base }

    func initialize(_ row: Int, _ value: Root) {
        guard let base = unsafe base else { preconditionFailure("rows without memory") }
        unsafe (base + row).initialize(to: value)
    }
}

/// Rows of one entity that several threads assign to at once, each to rows of its own.
@safe
struct SharedRows: @unchecked Sendable {  // No lock: no two threads have the same row.
    fileprivate let root: ObjectIdentifier
    fileprivate let count: Int
    fileprivate let base: UnsafeMutableRawPointer?
    fileprivate let stride: Int

    func withRawRows<Result>(_ body: (borrowing RawRows) throws -> Result) rethrows -> Result {
        unsafe try body(RawRows(root: root, count: count, base: base, stride: stride, isWritable: true))
    }
}

/// Lends rows to threads that have all ended when `body` returns.
func withSharedRows<Root, Result>(writing rows: inout [Root], _ body: (SharedRows) throws -> Result) rethrows -> Result {
    unsafe try rows.withUnsafeMutableBufferPointer { buffer in
        unsafe try body(
            SharedRows(
                root: ObjectIdentifier(Root.self), count: buffer.count, base: UnsafeMutableRawPointer(buffer.baseAddress),
                stride: MemoryLayout<Root>.stride))
    }
}

/// A stored property of an entity, found by its offset: what a key path is resolved to, once.
struct StoredProperty<Value>: Sendable {
    /// The entity's type.
    let root: ObjectIdentifier
    /// Where the property lies in a row, in bytes.
    let offset: Int

    /// Nil when the property is not stored inline: computed, wrapped, observed, or reached through another one that is.
    init?<Root>(_ keyPath: WritableKeyPath<Root, Value>) {
        guard let offset = MemoryLayout<Root>.offset(of: keyPath) else { return nil }
        self.root = ObjectIdentifier(Root.self)
        self.offset = offset
    }

    /// The value in one row.
    func get(_ rows: borrowing RawRows, _ row: Int) -> Value {
        unsafe place(rows, row).pointee
    }

    /// Assigns to one row.
    func set(_ rows: borrowing RawRows, _ row: Int, _ value: Value) {
        precondition(rows.isWritable, "rows lent for reading")
        unsafe place(rows, row).pointee = value
    }

    /// Assigns to the rows that stretches of a block go to what `value` gives for the block's; where it gives nil, the row keeps
    /// what it has.
    func set(_ rows: borrowing RawRows, _ stretches: [RowStretch], _ value: (Int) -> Value?) {
        for stretch in stretches {
            let (first, count) = (Int(stretch.place), Int(stretch.count))
            if count == 0 { continue }
            let isWithin = first >= 0 && first + count <= rows.count
            precondition(rows.isWritable && isWithin, "rows out of bounds, or lent for reading")
            var pointer = unsafe UnsafeMutableRawPointer(place(rows, first))
            for row in Int(stretch.row)..<Int(stretch.row) + count {
                if let value = value(row) { unsafe pointer.assumingMemoryBound(to: Value.self).pointee = value }
                unsafe pointer += rows.stride
            }
        }
    }

    /// Calls `body` with the number of every row whose value differs between two lists of rows of equal length.
    ///
    /// Values whose bytes are alike are the same; others are the same if `isSame` says so.
    func forEachDifferent(
        _ old: borrowing RawRows, _ new: borrowing RawRows, isSame: (Value, Value) -> Bool, _ body: (Int) -> Void
    ) {
        precondition(old.count == new.count, "lists of rows of unequal length")
        for row in 0..<old.count {
            let before = unsafe place(old, row)
            let after = unsafe place(new, row)
            if unsafe memcmp(before, after, MemoryLayout<Value>.size) == 0 { continue }
            if unsafe !isSame(before.pointee, after.pointee) { body(row) }
        }
    }

    private func place(_ rows: borrowing RawRows, _ row: Int) -> UnsafeMutablePointer<Value> {
        precondition(rows.root == root && row >= 0 && row < rows.count, "rows of another entity, or a row out of bounds")
        guard let base = unsafe rows.base else { preconditionFailure("rows without memory") }
        return unsafe (base + (row * rows.stride + offset)).assumingMemoryBound(to: Value.self)
    }
}
