/// The order of strings: by the scalars of their canonical compositions.
enum TextOrder {
    /// -1, 0 or 1.
    ///
    /// `String` has the same order, except where one composition begins with the whole other one: then it puts the string of fewer
    /// bytes first, so that a decomposed string may come after its own continuation (`か\u{3099}` after `がi`, though it equals
    /// `が`, which comes before). A scalar at the end that composes with nothing, and is less than any other, keeps it from that.
    static func compare(_ a: String, _ b: String) -> Int {
        if a == b { return 0 }
        if a.isASCII && b.isASCII { return a < b ? -1 : 1 }
        return a + "\0" < b + "\0" ? -1 : 1
    }
}
