import EventLog
import Projection

extension StateReader {
    /// Objects that are looked at together.
    private static let page = 4_096

    /// The blobs that the state names, that are not in a store, and were not removed there on purpose.
    func lackingBlobs(in store: BlobStore) throws -> [BlobReference] {
        var lacking: [BlobReference] = []
        try forEachBlob { if try store.isLacking($0.id) { lacking.append($0) } }
        return lacking
    }

    /// Calls with the blobs of all objects, apart from those within the log; with one again where several have it.
    func forEachBlob(_ body: (BlobReference) throws -> Void) throws {
        for entity in box.state.schema.names {
            let shape = try shape(of: entity.text)
            let names = shape.fields.keys.filter { shape.fields[$0]?.types.contains(.blob) ?? false }.sorted()
            guard !names.isEmpty else { continue }
            let properties = names.map(\.text)
            let found = try find(FetchDescription(entity: entity.text, properties: properties))
            for start in stride(from: 0, to: found.ids.count, by: Self.page) {
                let page = found[start..<min(start + Self.page, found.ids.count)]
                for field in try noting({ try page.plainRows(of: entity.text, properties) }).flatMap(\.fields) {
                    guard case .value(.blob(let blob)) = field.value, blob.inline == nil else { continue }
                    try body(blob)
                }
            }
        }
    }
}
