import Foundation
import Testing

/// The earthquakes of a week, worked on by commands and, independently, by hand.
///
/// The feed is one of the USGS, which is not part of this repository: `STRANDLINE_QUAKES` says where it is, and without it a made one
/// of the same form serves.
@Suite("A week of earthquakes")
struct QuakesTests {
    /// A feature of the feed, as JSON has it.
    private struct Quake: Decodable {
        struct Properties: Decodable {
            let mag: Double?
            let place: String?
            let magType: String?
        }
        let id: String
        let properties: Properties
        var magnitude: Double? { properties.mag }
    }

    private struct Feed: Decodable { let features: [Quake] }

    private static func feed(in harness: CommandHarness) throws -> (path: String, quakes: [Quake]) {
        let path = ProcessInfo.processInfo.environment["STRANDLINE_QUAKES"] ?? harness.directory + "/quakes.geojson"
        if ProcessInfo.processInfo.environment["STRANDLINE_QUAKES"] == nil { try made().write(to: URL(filePath: path)) }
        return (path, try JSONDecoder().decode(Feed.self, from: try Data(contentsOf: URL(filePath: path))).features)
    }

    /// 2,000 quakes with what real ones have: integers among the magnitudes, nulls, text of other languages.
    private static func made() throws -> Data {
        let places = [
            "12 km SW of Anchorage, Alaska", "Adak, ALASKA", "5km N of Hilo, Hawaii", "Åland, Älaskä region", "Ōsaka, Japan",
        ]
        var random = SystemRandomNumberGenerator()
        let features: [[String: Any]] = (0..<2_000).map { number in
            let magnitude: Any =
                switch Int.random(in: 0..<20, using: &random) {
                case 0: NSNull()
                case 1: Int.random(in: 1...7, using: &random)
                default: Double(Int.random(in: -50...799, using: &random)) / 100
                }
            let place: Any = number % 50 == 0 ? NSNull() : "\(places[number % places.count]) \(number)"
            let type: Any = number % 61 == 0 ? NSNull() : ["ml", "md", "mb", "mww"][number % 4]
            return [
                "type": "Feature", "id": "made\(number)",
                "properties": [
                    "mag": magnitude, "place": place, "magType": type,
                    "time": 1_602_000_000_000 + number * 1_000,
                ] as [String: Any],
                "geometry": ["type": "Point", "coordinates": [-150.5, 61, Double(number % 90)]],
            ]
        }
        return try JSONSerialization.data(withJSONObject: ["type": "FeatureCollection", "features": features])
    }

    @Test("figures, updates and deletes agree with a computation by hand, and the past stays readable")
    func figures() async throws {
        try await CommandHarness.run { harness in
            let (path, quakes) = try Self.feed(in: harness)
            let store = harness.store
            _ = try await harness.output("create", store)
            _ = try await harness.output("import", store, path, "--entity", "Quake", "--key", "id")
            #expect(try await harness.output("fetch", store, "Quake", "--count") == "\(quakes.count)")

            try await expectAverages(of: quakes, harness)
            let largest = try await rows(
                harness, ["fetch", store, "Quake", "--sort", "-mag,id", "--limit", "10", "--properties", "id"])
            let tops = quakes.filter { $0.magnitude != nil }
                .sorted { ($0.magnitude ?? 0, $1.id) > ($1.magnitude ?? 0, $0.id) }.prefix(10).map(\.id)
            #expect(largest.map { $0["id"] as? String } == tops)

            let alaskan = quakes.count {
                $0.properties.place?.range(of: "alaska", options: [.caseInsensitive, .diacriticInsensitive]) != nil
            }
            let inAlaska = "place CONTAINS[cd] 'alaska'"
            #expect(try await harness.output("fetch", store, "Quake", "--where", inAlaska, "--count") == "\(alaskan)")

            let before = try await harness.output("token", store)
            let strong = quakes.count { $0.magnitude ?? 0 > 2.5 }
            _ = try await harness.output("update", store, "Quake", "--where", "mag > 2.5", "--set", "place=strong")
            let renamed = "place == 'strong'"
            #expect(try await harness.output("fetch", store, "Quake", "--where", renamed, "--count") == "\(strong)")

            let weak = quakes.count { $0.magnitude.map { $0 <= 2.5 } ?? false }
            _ = try await harness.output("delete", store, "Quake", "--where", "mag <= 2.5", "--limit", "1000")
            #expect(try await harness.output("fetch", store, "Quake", "--count") == "\(quakes.count - min(1000, weak))")

            // The past is as it was.
            #expect(try await harness.output("fetch", store, "Quake", "--count", "--at", before) == "\(quakes.count)")
            let old = try await harness.output("fetch", store, "Quake", "--where", inAlaska, "--count", "--at", before)
            #expect(old == "\(alaskan)")
            #expect(try await harness.output("fetch", store, "Quake", "--where", renamed, "--count", "--at", before) == "0")
            try await expectAverages(of: quakes, harness, at: before)
        }
    }

    private func expectAverages(of quakes: [Quake], _ harness: CommandHarness, at token: String? = nil) async throws {
        let arguments =
            ["fetch", harness.store, "Quake", "--group-by", "magType", "--aggregate", "count,avg:mag"]
            + (token.map { ["--at", $0] } ?? [])
        let rows = try await rows(harness, arguments)
        let expected = Dictionary(grouping: quakes, by: \.properties.magType)
        #expect(rows.count == expected.count)
        for row in rows {
            let group = try #require(expected[row["magType"] as? String])
            #expect(row["count"] as? Int == group.count)
            let magnitudes = group.compactMap(\.magnitude)
            let average = magnitudes.isEmpty ? nil : magnitudes.reduce(0, +) / Double(magnitudes.count)
            let found = row["avg(mag)"] as? Double ?? row["avg:mag"] as? Double
            switch (average, found) {
            case (nil, nil): break
            case (let average?, let found?): #expect(abs(average - found) < 1e-9, "\(row)")
            default: Issue.record("\(row) where \(average as Any) was expected")
            }
        }
    }

    private func rows(_ harness: CommandHarness, _ arguments: [String]) async throws -> [[String: Any]] {
        let text = try await harness.output(of: arguments + ["--json"])
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }
}
