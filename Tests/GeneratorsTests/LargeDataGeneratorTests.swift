import Generators
import SampleModel
import Storage
import Strandline
import Testing

@Suite struct LargeDataGeneratorTests {
    /// A JPEG as far as segments go: start, two application segments, a quantisation table, end.
    private static let photo: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xE1, 0, 3, 9, 0xFF, 0xDB, 0, 3, 7] + [UInt8](repeating: 5, count: 500)
        + [0xFF, 0xD9]

    /// The bytes of all pictures, in order.
    private func pictures(_ store: Store) throws -> [[UInt8]] {
        try store.fetch(ImageData.all).map { image in
            guard case .stored(let reference) = image.data.content else { return [] }
            return try store.read(reference)
        }
    }

    @Test func picturesAreMadeAndVerified() async throws {
        var digests: [String] = []
        for seed: UInt64 in [3, 3, 4] {
            let store = try await openStore()
            let generator = LargeDataGenerator(posts: 2, attachments: 3, imageSize: 70_001...200_000, seed: seed)
            let steps = Steps()
            let made = try await generator.generate(into: store) { steps.add(Int($0.bytes)) }
            #expect(made == generator.total && made.blobs == 6 && made.objects == 14)
            #expect(steps.values == steps.values.sorted() && steps.values.last == Int(made.bytes))
            #expect(try await generator.verify(in: store) == made)
            let pictures = try pictures(store)
            #expect(Set(pictures).count == 6 && pictures.allSatisfy { (70_001...200_000).contains($0.count) })
            #expect(pictures.allSatisfy { $0.prefix(2) == [0xFF, 0xD8] && $0.suffix(2) == [0xFF, 0xD9] })
            digests.append(try store.contentDigest())
            try await store.close()
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }

    @Test(arguments: [nil, 600...600, 70_000...70_000, 140_000...140_000] as [ClosedRange<UInt64>?])
    func photosGetCommentsAndLength(size: ClosedRange<UInt64>?) async throws {
        try await withTemporaryDirectory { directory in
            let file = try POSIXFileSystem().open(directory + "/a.JPG", .create)
            try file.write(Self.photo.span, at: 0)
            file.close()
            let store = try await openStore()
            let generator = LargeDataGenerator(posts: 1, attachments: 2, imageSize: size, photos: directory)
            let made = try await generator.generate(into: store)
            #expect(try await generator.verify(in: store) == made)
            let pictures = try pictures(store)
            #expect(Set(pictures).count == 2)
            for picture in pictures {
                if let size, size.lowerBound > 1_000 { #expect(UInt64(picture.count) == size.lowerBound) }
                #expect(try withoutComments(picture) == Self.photo)
            }
            try await store.close()
        }
    }

    /// The segments but the comments, which stand behind the application segments only.
    private func withoutComments(_ picture: [UInt8]) throws -> [UInt8] {
        var kept = Array(picture[..<13])
        var place = 13
        var comments = 0
        while picture[place] == 0xFF, picture[place + 1] == 0xFE {
            place += 2 + Int(picture[place + 2]) << 8 + Int(picture[place + 3])
            comments += 1
        }
        #expect(comments > 0)
        kept += picture[place...]
        return kept
    }

    @Test func everyPossibleLengthIsReached() async throws {
        try await withTemporaryDirectory { directory in
            let file = try POSIXFileSystem().open(directory + "/a.jpg", .create)
            try file.write(Self.photo.span, at: 0)
            file.close()
            // Around one and two full segments of padding, where what remains may be too short for a segment.
            for length: UInt64 in [66_090, 66_093, 66_094, 66_095, 66_096, 66_097, 66_098, 131_630, 131_634] {
                let store = try await openStore()
                let generator = LargeDataGenerator(posts: 1, attachments: 1, imageSize: length...length, photos: directory)
                #expect(try await generator.generate(into: store).bytes == length)
                try await generator.verify(in: store)
                try await store.close()
            }
        }
    }

    @Test func whatIsNoPhotoIsRefused() async throws {
        try await withTemporaryDirectory { directory in
            let store = try await openStore()
            let generator = LargeDataGenerator(posts: 1, attachments: 1, photos: directory)
            let none = await #expect(throws: GeneratorError.self) { try await generator.generate(into: store) }
            #expect(none?.code == .photos && none?.description.hasPrefix("there are no photos in ") == true)
            let file = try POSIXFileSystem().open(directory + "/a.jpeg", .create)
            try file.write([1, 2, 3].span, at: 0)
            file.close()
            let wrong = await #expect(throws: GeneratorError.self) { try await generator.generate(into: store) }
            #expect(wrong?.description.contains("/a.jpeg is no JPEG") == true)
            #expect(try store.count(Post.all) == 0)
            try await store.close()
        }
    }

    @Test func aPictureThatWasChangedIsFound() async throws {
        let store = try await openStore()
        let generator = LargeDataGenerator(posts: 1, attachments: 2, imageSize: 70_000...70_000)
        try await generator.generate(into: store)
        let image = try store.fetch(ImageData.all)[1]
        try await store.write { tx in try tx.update(image.id) { $0.data = Blob([UInt8](repeating: 1, count: 70_000)) } }
        let error = await #expect(throws: GeneratorError.self) { try await generator.verify(in: store) }
        #expect(error?.description.hasPrefix("the picture of picture 2 of post 1 (") == true)
        try await store.write { tx in try tx.delete(image.id) }
        await #expect(throws: GeneratorError.self) { try await generator.verify(in: store) }
        try await store.close()
    }
}
