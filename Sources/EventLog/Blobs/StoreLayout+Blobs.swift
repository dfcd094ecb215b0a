import Storage

extension StoreLayout {
    /// How the names of unfinished blobs in tmp/ end.
    static let draftSuffix = ".blob"

    /// Where blobs lie that have not come whole.
    var arriving: String { root + "/arriving" }
    static let arrivingNote = ".note"

    func arriving(_ blob: BlobID) -> String { "\(arriving)/\(blob)" }

    /// What is known of blobs elsewhere.
    var copies: String { root + "/COPIES" }

    /// Whose lock says that a blob is about to be removed.
    func leaving(_ blob: BlobID) -> String { "\(temporary)/\(blob).leaving" }

    /// The directory that holds a blob: `blobs/<ab>`.
    func directory(of blob: BlobID) -> String { "\(blobs)/\(blob.description.prefix(2))" }

    func path(of blob: BlobID) -> String { "\(directory(of: blob))/\(blob)" }

    /// Whether a name in `blobs/` is that of a directory of blobs: two lower-case hexadecimal digits.
    static func isBlobDirectory(_ name: String) -> Bool {
        name.utf8.count == 2
            && name.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The blob that a file name stands for; nil for any other name, upper-case digits included.
    static func parse(blob name: String) -> BlobID? {
        guard let id = BlobID(name), id.description == name else { return nil }
        return id
    }
}
