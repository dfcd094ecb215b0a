/// Which way a ``FetchRequest`` orders by a property.
public enum SortDirection: Hashable, Sendable {
    /// Null first, then small before large.
    case ascending
    /// Large before small, null last.
    case descending
}
