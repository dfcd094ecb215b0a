/// The reserved words of predicates, in any case.
///
/// A property of such a name is written with `#` before it.
///
/// Words that NSPredicate reserves but that mean nothing here (`FIRST`, `LAST`, `SIZE`, `FETCH`) are free for properties.
enum Keyword: String {
    case and, or, not
    case any, some, all, none
    case between, `in`, contains, beginswith, endswith, like, matches
    case null, `nil`, `self`, yes, no, `true`, `false`
    case truepredicate, falsepredicate
    case cast, subquery

    init?(_ word: String) {
        guard word.utf8.count <= 14 else { return nil }
        self.init(rawValue: word.lowercased())
    }
}
