import SampleModel
import Storage
public import Strandline

extension LargeDataGenerator {
    /// Besides what ``Generator`` says: every byte of every picture is read, and compared with what was made.
    public func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        let photos = try loadPhotos()
        var summary = GenerationSummary()
        try await texts.verify(in: store)
        try await texts.forEachPost(in: store) { number, post in
            guard post.attachments.count == attachments else {
                throw GeneratorError(
                    .mismatch,
                    "post \(number) (\(post.id)) has \(post.attachments.count) attachments, and was made with "
                        + "\(attachments)")
            }
            for (index, id) in post.attachments.enumerated() {
                try Task.checkCancellation()
                summary.bytes += try verify(id, index, of: number, photos, in: store)
                summary.blobs += 1
                summary.objects += 2
                progress(summary)
            }
            summary.objects += 1
        }
        return summary
    }

    /// - Returns: the length of the picture.
    private func verify(
        _ id: Attachment.ID, _ index: Int, of number: Int, _ photos: [Photo], in store: Store
    ) throws -> UInt64 {
        let name = Self.name(of: index, of: number)
        guard let attachment = try store.get(id), attachment.name == name else {
            throw GeneratorError(.mismatch, "\(name) (\(id)) is missing, or has another name")
        }
        guard let data = try attachment.imageData.flatMap({ try store.get($0) })?.data,
            case .stored(let reference) = data.content
        else { throw GeneratorError(.mismatch, "\(name) (\(id)) has no picture") }
        let plan = plan(index, of: number, photos)
        guard reference.length == plan.length else {
            throw GeneratorError(
                .mismatch, "\(name) (\(id)) has a picture of \(reference.length) bytes, and was made with \(plan.length)")
        }
        var reader = ContentReader(plan, files)
        var made = [UInt8](repeating: 0, count: 1 << 20)
        var offset: UInt64 = 0
        while true {
            var buffer = made.mutableSpan
            let count = try reader.read(into: &buffer)
            if count == 0 { return offset }
            let stored = try store.read(reference, at: offset, count: count)
            guard stored.elementsEqual(made[..<count]) else {
                throw GeneratorError(
                    .mismatch, "the picture of \(name) (\(id)) differs within \(count) bytes from \(offset) on")
            }
            offset += UInt64(count)
        }
    }
}
