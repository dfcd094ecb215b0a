package import EventLog

/// The order of values that are equal but not stored alike: -0.0 and 0.0, one NaN and another, strings that are
/// canonically equivalent.
///
/// Where one of them stands for all, as a key of a group or as a least or greatest value, it is the first by this order, so
/// that an answer does not depend on where objects lie, or in which order they came.
package enum Spelling {
    /// Whether a value comes before one that is equal to it: strings by their UTF-8, numbers by their bits, -0.0 first; integers
    /// before doubles.
    package static func precedes(_ a: Value, _ b: Value) -> Bool {
        switch (a, b) {
        case (.int, .int), (.counter, .counter), (.null, .null): false
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): precedes(a, b)
        case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        default: (a.type?.rawValue ?? 0) < (b.type?.rawValue ?? 0)
        }
    }

    @inline(__always)
    static func precedes(_ a: Double, _ b: Double) -> Bool {
        Int64(bitPattern: a.bitPattern) < Int64(bitPattern: b.bitPattern)
    }
}
