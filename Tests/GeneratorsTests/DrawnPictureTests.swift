import Generators
import SampleModel
import Storage
import Strandline
import Testing

@Suite struct DrawnPictureTests {
    /// Reads the markers of a JPEG file: the lengths of its segments, and of its entropy-coded rows.
    private struct Markers {
        var size = (width: 0, height: 0)
        var interval = 0
        var rows: [Int] = []
        var comments = 0
        var hasEnded = false

        struct NoPicture: Error {}

        private static func demand(_ holds: Bool) throws { if !holds { throw NoPicture() } }

        init(_ bytes: [UInt8]) throws {
            func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
            try Self.demand(bytes.prefix(2) == [0xFF, 0xD8])
            var place = 2
            while bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
                let length = word(place + 2)
                switch bytes[place + 1] {
                case 0xFE: comments += length + 2
                case 0xC0: size = (word(place + 7), word(place + 5))
                case 0xDD: interval = word(place + 4)
                default: break
                }
                place += 2 + length
            }
            try Self.demand(bytes[place + 1] == 0xDA)
            place += 2 + word(place + 2)
            var start = place
            var expected: UInt8 = 0xD0
            while place + 1 < bytes.count {
                defer { place += 1 }
                guard bytes[place] == 0xFF, bytes[place + 1] != 0, bytes[place + 1] != 0xFF else { continue }
                let marker = bytes[place + 1]
                rows.append(place - start)
                start = place + 2
                if marker == 0xD9 {
                    hasEnded = place + 2 == bytes.count
                    return
                }
                try Self.demand(marker == expected)
                expected = expected == 0xD7 ? 0xD0 : expected + 1
            }
        }
    }

    @Test(arguments: [1_500, 4_000, 50_000, 70_001, 70_002, 70_003, 70_004, 300_000, 3_000_000] as [UInt64])
    func arePictures(of size: UInt64) async throws {
        let store = try await openStore()
        let generator = LargeDataGenerator(posts: 1, attachments: 3, imageSize: size...size, seed: 9)
        try await generator.generate(into: store)
        try await generator.verify(in: store)
        var all: Set<[UInt8]> = []
        for image in try store.fetch(ImageData.all) {
            let bytes = try image.data.read()
            #expect(bytes.count == Int(size))
            let markers = try Markers(bytes)
            #expect(
                markers.hasEnded && markers.rows.count == markers.size.height / 8 && markers.interval == markers.size.width / 8)
            if size >= 50_000 { #expect(markers.rows.reduce(0, +) * 10 > bytes.count * 9) }
            all.insert(bytes)
        }
        #expect(all.count == 3)
        try await store.close()
    }
}
