import Strandline

/// Texts of the command line with a grammar of their own.
///
/// What cannot be read is a usage error, whatever the store.
enum TextArguments {
    /// A predicate; nil stays nil.
    static func filter(_ text: String?, _ option: String = "--where") throws(CommandError) -> Filter? {
        try parse(text, option) { (text) throws(PredicateError) in try Filter(text) }
    }

    static func sort(_ text: String?, _ option: String = "--sort") throws(CommandError) -> [SortKey]? {
        try parse(text, option) { (text) throws(PredicateError) in try SortKey.parse(text) }
    }

    static func aggregates(_ text: String?, _ option: String = "--aggregate") throws(CommandError) -> [Aggregate]? {
        try parse(text, option) { (text) throws(PredicateError) in try Aggregate.parse(text) }
    }

    static func keys(_ text: String?, _ option: String = "--group-by") throws(CommandError) -> [PropertyPath]? {
        try parse(text, option) { (text) throws(PredicateError) in try GroupedFetch.parseKeys(text) }
    }

    static func token(_ text: String?, _ option: String) throws(CommandError) -> HistoryToken? {
        guard let text else { return nil }
        do throws(LogError) { return try HistoryToken(text) } catch { throw .malformed("\(option): \(error.description)") }
    }

    /// Names parted by commas.
    static func names(_ text: String?) -> [String]? {
        text?.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    private static func parse<Result>(
        _ text: String?, _ option: String, _ read: (String) throws(PredicateError) -> Result
    ) throws(CommandError) -> Result? {
        guard let text else { return nil }
        do throws(PredicateError) { return try read(text) } catch { throw .malformed("\(option): \(error.description)") }
    }
}
