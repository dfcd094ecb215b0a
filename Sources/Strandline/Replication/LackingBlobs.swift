import EventLog
import Projection

extension StateReader {
    /// Objects that are looked at together.
    private static let page = 4_096

    /// The blobs that the state names and that are not in a store.
    ///
    /// Goes through the objects of entities that have blobs; whether its file is there is asked for each.
    func lackingBlobs(in store: BlobStore) throws -> [BlobReference] {
        var lacking: [BlobReference] = []
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
                    if try !store.contains(blob.id) { lacking.append(blob) }
                }
            }
        }
        return lacking
    }
}
