import FoundationEssentials
import Storage
import Strandline

/// A post whose key is unique, as the peers' are.
struct KeyedPost: StoredPost {
    var id = ID()
    var title = ""
    var content = ""
    var views = 0
    var key: UUID?

    static let schema = Schema<Self>("Post") {
        Field("content", \.content)
        Field("key", \.key, .unique)
        Field("title", \.title)
        Field("views", \.views)
    }

    static let isKeyed = true
}
