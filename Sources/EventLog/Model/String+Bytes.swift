extension String {
    /// Whether both are stored as the same bytes.
    ///
    /// Strings that are equal as text may not be: `==` looks through normalisation.
    package func hasBytes(of other: String) -> Bool {
        let (a, b) = (utf8.span, other.utf8.span)
        guard a.count == b.count else { return false }
        for place in 0..<a.count where a[place] != b[place] { return false }
        return true
    }
}
