import FoundationEssentials
import Storage
import Strandline

/// A post whose key is a property as any other.
struct PlainPost: StoredPost {
    var id = ID()
    var title = ""
    var content = ""
    var views = 0
    var key: UUID?

    static let schema = Schema<Self>("Post") {
        Field("content", \.content)
        Field("key", \.key)
        Field("title", \.title)
        Field("views", \.views)
    }

    static let isKeyed = false
}
