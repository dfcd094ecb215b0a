/// Made earthquakes as a GeoJSON FeatureCollection, such as agencies publish.
public struct QuakeFeed: Sendable {
    private static let directions = ["N", "NNE", "NE", "E", "SE", "S", "SSW", "SW", "W", "NW"]
    private static let towns = [
        "Anza", "Atka", "Búðardalur", "Cobb", "Hilo", "Île-de-Bréhat", "Kodiak", "Menlo Park", "Ōfunato", "Pahala",
        "Ridgecrest",
        "Tonopah", "Ürgüp", "Valparaíso", "Willits", "Zermatt",
    ]

    public var count: Int
    public var seed: UInt64

    public init(count: Int, seed: UInt64 = 1) {
        precondition(count >= 0, "a number of earthquakes cannot be negative")
        self.count = count
        self.seed = seed
    }

    /// The whole text, some 250 bytes for each earthquake.
    public var text: String {
        let features = (0..<count).map(feature).joined(separator: ",\n")
        return #"{"type":"FeatureCollection","metadata":{"title":"Made earthquakes","count":\#(count)},"features":["#
            + "\n\(features)\n]}\n"
    }

    private func feature(_ number: Int) -> String {
        var random = SeededWords(seed: seed, 4, UInt64(number))
        // Weak ones are frequent; some are whole numbers, which feeds write without a fraction.
        let strength = Double(random.next() % 1_000) / 1_000
        let magnitude = (strength * strength * strength * 80).rounded() / 10
        let mag = magnitude == magnitude.rounded() ? "\(Int(magnitude))" : "\(magnitude)"
        let distance = random.next() % 150 + 1
        let town = Self.towns[Int(random.next() % UInt64(Self.towns.count))]
        let place = "\(distance) km \(Self.directions[Int(random.next() % UInt64(Self.directions.count))]) of \(town)"
        let time = 1_700_000_000_000 + UInt64(number) * 250_000 + random.next() % 250_000
        let felt = random.next() % 20 == 0 ? "\(random.next() % 500)" : "null"
        let longitude = Double(random.next() % 3_600_000) / 10_000 - 180
        let latitude = Double(random.next() % 1_800_000) / 10_000 - 90
        let depth = Double(random.next() % 7_000) / 10
        return #"{"type":"Feature","properties":{"mag":\#(mag),"place":"\#(place)","time":\#(time),"felt":\#(felt),"tz":null,"#
            + #""title":"M \#(magnitude) - \#(place)"},"geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude),"#
            + #"\#(depth)]},"id":"made\#(seed)-\#(number)"}"#
    }
}
