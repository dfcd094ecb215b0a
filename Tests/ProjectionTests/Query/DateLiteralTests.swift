import EventLog
import Projection
import Simulation
import Testing

@Suite("DateLiteral")
struct DateLiteralTests {
    private func seconds(_ text: String) throws -> Double {
        guard
            case .comparison(let comparison) = try Filter("d == CAST('\(text)', 'NSDate')"),
            case .constant(.date(let seconds)) = comparison.right.first
        else { return .nan }
        return seconds
    }

    @Test(
        "reads ISO 8601",
        arguments: [
            ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01T01:00+01:00", 0), ("2000-12-31T22:30:00-0130", 0),
            ("1970-01-01T00:00:00Z", -978_307_200), ("2020-02-29T23:59:59.5Z", 604_713_599.5), ("2000-03-01", -26_438_400),
            ("0001-01-01", -63_113_904_000), ("9999-12-31T23:59:59Z", 252_423_993_599),
            ("2020-10-13 08:30:00,25z", 624_270_600.25),
        ])
    func reads(text: String, expected: Double) throws {
        #expect(try seconds(text) == expected)
    }

    @Test(
        "refuses what is no date",
        arguments: [
            "2020-13-01", "2020-00-10", "2021-02-29", "1900-02-29", "2020-04-31", "2020-1-1", "2020-10-13T", "2020-10-13T24:00",
            "2020-10-13T08", "2020-10-13T08:60", "2020-10-13T08:30:60", "2020-10-13T08:30:00.", "2020-10-13T08:30Zx",
            "2020-10-13T08:30+", "2020-10-13T08:30+25:00", "20201013", "", "2020-10-13Z", "٢020-10-13",
        ])
    func refuses(text: String) {
        #expect(throws: PredicateError.self) { try seconds(text) }
    }

    @Test("writes what it reads")
    func roundTrip() throws {
        var dice = SplitMix64(seed: 4)
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: -62_000_000_000_000...250_000_000_000_000, using: &dice)
            for seconds in [Double(milliseconds) / 1_000, Double(milliseconds / 1_000), Double(milliseconds) / 7] {
                let filter = Filter.compare(.property("d"), .equal, .constant(.date(seconds)))
                #expect(try Filter(filter.description) == filter, "\(seconds)")
            }
        }
    }

    @Test("any number is written so that it reads back, in as few digits as that takes")
    func exact() {
        var dice = SplitMix64(seed: 9)
        for round in 0..<20_000 {
            let seconds: Double =
                switch round % 4 {
                case 0: Double(bitPattern: dice.next())
                case 1: Double.random(in: -1e9...1e9, using: &dice)
                case 2: Double.random(in: -1...1, using: &dice)
                default: Double(Int64.random(in: -62_000_000_000_000...250_000_000_000_000, using: &dice)) / 1_000
                }
            let text = DateLiteral.exact(seconds)
            #expect(DateLiteral.seconds(text)?.bitPattern == seconds.bitPattern, "\(text)")
            if round % 4 == 3 { #expect(text.utf8.count <= 24, "\(text)") }
        }
        #expect(DateLiteral.exact(0) == "2001-01-01T00:00:00.000Z" && DateLiteral.text(0) == "2001-01-01T00:00:00Z")
        #expect(DateLiteral.exact(-0.0) == "-0.0 s after 2001" && DateLiteral.exact(.infinity) == "inf s after 2001")
        #expect(DateLiteral.exact(252_455_616_000) == "252455616000.0 s after 2001")
        #expect(DateLiteral.exact(0.123_456_7) == "2001-01-01T00:00:00.1234567Z")
    }
}
