import EventLog
import Projection
import Strandline
import Testing

@Suite struct RecordFilterTests {
    private func matches(_ text: String, _ values: [String: Value]) throws -> Bool {
        try RecordFilter(try Filter(text)).matches(values)
    }

    @Test func recordsAreChosenAsObjectsAre() throws {
        let record: [String: Value] = [
            "message": .string("a peer and this store have met: peer unix:/run/é"), "category": .string("sync"),
            "milliseconds": .double(12.5), "transactions": .int(3), "readOnly": .bool(true),
        ]
        #expect(try matches("message CONTAINS[cd] '/RUN/E' AND category == 'sync'", record))
        #expect(try matches("milliseconds > 12 AND transactions BETWEEN {1, 3} AND readOnly == YES", record))
        #expect(try matches("error == nil", record))
        #expect(try !matches("error == 'storage'", record))
    }

    @Test func aMisspelledNameIsFound() throws {
        let error = #expect(throws: PredicateError.self) { try RecordFilter(try Filter("mesage == 'x'")) }
        #expect(error?.description.contains("message") ?? false)
    }
}
