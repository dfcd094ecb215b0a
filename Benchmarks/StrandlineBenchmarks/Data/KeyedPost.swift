package import FoundationEssentials
package import Strandline

/// A post whose key is unique, as the peers' are.
package struct KeyedPost: StoredPost {
    package var id = ID()
    package var title = ""
    package var content = ""
    package var views = 0
    package var date = Date(timeIntervalSinceReferenceDate: 0)
    package var key: UUID?

    package init() {}

    package static let schema = Schema<Self>("Post") {
        Field("content", \.content)
        Field("date", \.date)
        Field("key", \.key, .unique)
        Field("title", \.title)
        Field("views", \.views)
    }

    package static let isKeyed = true
}
