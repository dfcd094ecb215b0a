import Interchange
import Storage
import Strandline
import Testing

@Suite struct ImporterTests {
    private func open(_ environment: Environment = .inMemory()) async throws -> Store {
        try await Store.open(.environment("/store", environment))
    }

    private func source(_ text: String) -> MemoryByteSource { MemoryByteSource(Array(text.utf8), name: "rows.json") }

    /// Imports a text, as from a pipe; gives what came of it.
    private func run(
        _ text: String, into store: Store, key: [String] = ["id"], types: [String: ValueType] = [:], batch: Int = 1_000
    ) async throws -> ImportSummary {
        var importer = Importer(entity: "Quake", key: key, types: types)
        importer.batch = batch
        return try await importer.run(source(text), into: store)
    }

    private func error(_ text: String, into store: Store, batch: Int = 1_000) async throws -> ImportError {
        try #require(await #expect(throws: ImportError.self) { try await run(text, into: store, batch: batch) })
    }

    /// What a row reads as: `a:int=1 b:string=null`.
    private func rows(_ store: Store) throws -> [String] {
        try store.rows(of: "Quake").map { row in
            row.fields.map { "\($0.property.name):\($0.property.type)=\($0.value)" }
                .joined(separator: " ")
                .replacing("value(", with: "").replacing(")", with: "").replacing("EventLog.Value.", with: "")
        }
    }

    @Test func namesAreOneWhenTheirBytesAre() async throws {
        let store = try await open()
        let (key, other) = ("\u{E9}", "e\u{301}")
        // Swift takes the two for equal strings.
        let summary = try await run("[{\"\(key)\":\"a\",\"\(other)\":1}]", into: store, key: [key], types: [other: .double])
        #expect(summary.inserted == 1)
        let fields = try #require(try store.rows(of: "Quake").first).fields
        #expect(Set(fields.map(\.property)) == [Property(key, .string), Property(other, .double)])
        let missing = try #require(
            await #expect(throws: ImportError.self) { try await run("[{\"\(other)\":1}]", into: store, key: [key]) })
        #expect(missing.code == .missingKey)
        let wrong = try #require(
            await #expect(throws: ImportError.self) { try await run("[{\"\(other)\":1}]", into: store, key: [other]) })
        #expect(wrong.code == .schema)
        try await store.close()
    }

    private func run(csv text: String, into store: Store, types: [String: ValueType] = [:]) async throws -> ImportSummary {
        var importer = Importer(entity: "Quake", key: "id", types: types)
        importer.format = .csv
        importer.batch = 2
        return try await importer.run(source(text), into: store)
    }

    @Test func textOfColumnsDecidesTheirTypes() async throws {
        let store = try await open()
        let text =
            "id,mag,zip,open,place,time,note\nq1,4.5,01234,true,\"Oslo, NO\",2026-01-01T00:00:00Z,\nq2,5,98765,false,,,\"\"\n"
        let summary = try await run(csv: text, into: store, types: ["time": .date])
        #expect(summary.inserted == 2)
        let fields = Dictionary(uniqueKeysWithValues: try store.schema()[0].fields.map { ($0.property.name, $0.property.type) })
        #expect(
            fields == [
                "id": .string, "mag": .double, "zip": .string, "open": .bool, "place": .string, "time": .date, "note": .string,
            ])
        let rows = try store.rows(of: "Quake", sortedBy: [SortKey(PropertyPath("id"))])
        #expect(rows[1][Property("mag", .double)] == .value(.double(5)))
        #expect(
            rows[1][Property("place", .string)] == .value(.null) && rows[1][Property("note", .string)] == .value(.string("")))
        #expect(rows[0][Property("zip", .string)] == .value(.string("01234")))
        #expect(rows[0][Property("place", .string)] == .value(.string("Oslo, NO")))
        let again = try await run(csv: text, into: store)
        #expect(again.unchanged == 2 && again.transactions == 0)
        // A column of whole numbers takes no fraction later, and says where.
        _ = try await run(csv: "id,count\nq1,7\n", into: store)
        let wrong = try #require(
            await #expect(throws: ImportError.self) { try await run(csv: "id,count\nq1,seven\n", into: store) })
        #expect(wrong.code == .typeMismatch && wrong.row == 1 && wrong.field == "count" && wrong.position?.line == 2)
        let short = try #require(await #expect(throws: ImportError.self) { try await run(csv: "id,count\nq9\n", into: store) })
        #expect(short.code == .malformed && short.row == 1 && short.imported == 0)
        try await store.close()
    }

    @Test func aFileIsImportedOnceAndThenUnchanged() async throws {
        let store = try await open()
        var importer = Importer(entity: "Quake", key: "id", types: ["time": .date])
        importer.batch = 2
        let first = try await importer.run(fixture("feed.geojson"), into: store)
        #expect(first.inserted == 3 && first.rows == 3 && first.transactions == 2)
        #expect(try store.schema().map(\.uniqueKey) == [["id"]])
        // What comes late in a file has been seen before: one column for each name, of the type that all rows need.
        let columns = try store.schema()[0].fields.map { "\($0.property)" }
        #expect(
            columns == [
                "depth: double", "felt: int", "id: string", "latitude: double", "longitude: double", "mag: double",
                "place: string", "time: date", "tz: string",
            ])
        let row = try #require(try store.rows(of: "Quake").last)
        #expect(row[Property("felt", .int)] == nil)
        #expect(row[Property("place", .string)] == .value(.null))
        #expect(row[Property("mag", .double)] == .value(.double(3)))
        #expect(row[Property("time", .date)] == .value(.date(721_692_920)))
        let token = store.token
        let second = try await importer.run(fixture("feed.geojson"), into: store)
        #expect(second.unchanged == 3 && second.rows == 3 && second.transactions == 0)
        #expect(store.token == token)
        try await store.close()
    }

    @Test func aBrokenRowOfAFileIsNamedThoughTheFileWasSeenBefore() async throws {
        let store = try await open()
        var importer = Importer(entity: "Quake", key: "id")
        importer.batch = 5
        let error = await #expect(throws: ImportError.self) {
            try await importer.run(fixture("quakes.geojson"), into: store)
        }
        #expect(error?.code == .missingKey && error?.row == 6 && error?.position?.line == 15 && error?.imported == 5)
        #expect(try store.count(of: "Quake") == 5)
        try await store.close()
    }

    @Test func typesComeFromTheFile() async throws {
        let store = try await open()
        let text = #"""
            {"id":"a","b":true,"i":1,"m":1,"s":"x","o":{"k":[1]},"n":null}
            {"id":"b","m":1.5,"i":-2,"_id":"strandline://x"}
            """#
        #expect(try await run(text, into: store).inserted == 2)
        #expect(
            try rows(store) == [
                #"b:bool=true i:int=1 id:string="a" m:double=1.0 n:string=null "#
                    + #"o:string="{\"k\":[1]}" s:string="x""#,
                #"i:int=-2 id:string="b" m:double=1.5"#,
            ])
        try await store.close()
    }

    @Test func aLaterBatchWidensAColumnAndUpdatesLeaveNoOldValueBehind() async throws {
        let store = try await open()
        let text = "{\"id\":1,\"m\":1}\n{\"id\":2,\"m\":null}\n{\"id\":3,\"m\":2.5}\n{\"id\":4,\"m\":4}"
        #expect(try await run(text, into: store, batch: 1).inserted == 4)
        let names = try store.schema().flatMap(\.fields).map(\.property)
        #expect(names == [Property("id", .int), Property("m", .int), Property("m", .double)])
        #expect(try await run(text, into: store, batch: 1).unchanged == 4)
        #expect(try await run(text, into: store, batch: 3).unchanged == 4)
        #expect(try await run(#"{"id":1,"m":9.5}"#, into: store).updated == 1)
        #expect(try rows(store)[0] == "id:int=1 m:int=null m:double=9.5")
        #expect(try store.count(of: "Quake", where: try Filter("m == 1")) == 0)
        try await store.close()
    }

    @Test func valuesAreConvertedToTheTypesOfTheSchema() async throws {
        let store = try await open()
        try await store.write { tx in
            let fields: [(String, ValueType)] = [
                ("id", .int), ("at", .date), ("iso", .date), ("code", .uuid), ("raw", .data), ("json", .data), ("n", .counter),
                ("x", .double), ("to", .reference),
            ]
            try tx.declare(
                EntityDeclaration(
                    name: "Quake", fields: fields.map { FieldDeclaration(Property($0.0, $0.1)) }, uniqueKey: ["id"]))
        }
        let other = ObjectID(replica: store.replica, sequence: 1, index: 0)
        let text = #"""
            {"id":1,"at":978307201500,"iso":"2001-01-01T00:00:02Z","code":"00000000-0000-0000-0000-000000000007",
             "raw":"AQI=","json":{"b":1,"a":[]},"n":5,"x":3,"to":"\#(other.uri(entity: "Other"))"}
            """#
        #expect(try await run(text, into: store).inserted == 1)
        let row = try #require(try store.rows(of: "Quake").first)
        func value(_ name: String, _ type: ValueType) -> ResolvedValue? { row[Property(name, type)] }
        #expect(value("at", .date) == .value(.date(1.5)))
        #expect(value("iso", .date) == .value(.date(2)))
        #expect(value("code", .uuid) == .value(.uuid(Digest128(high: 0, low: 7))))
        #expect(value("raw", .data) == .value(.data([1, 2])))
        #expect(value("json", .data) == .value(.data(Array(#"{"a":[],"b":1}"#.utf8))))
        #expect(value("n", .counter) == .value(.counter(5)))
        #expect(value("x", .double) == .value(.double(3)))
        #expect(value("to", .reference) != nil)
        #expect(try await run(text, into: store).unchanged == 1)
        try await store.close()
    }

    @Test func textIsNoNumberAndTheErrorNamesRowAndField() async throws {
        let store = try await open()
        #expect(try await run(#"[{"id":"a","mag":1.5}]"#, into: store).inserted == 1)
        let error = try await error("{\"id\":\"b\",\"mag\":2.5}\n{\"id\":\"c\",\"mag\":\"2.5\"}", into: store)
        #expect(error.code == .typeMismatch && error.row == 2 && error.field == "mag" && error.imported == 0)
        #expect(
            error.description == "rows.json:2:1 (row 2): Quake.mag holds double, and the row has a string there: \"2.5\" "
                + "(in quotes it is no number); correct the file, or give such values a column of their own with the type "
                + "mag:string; nothing was imported")
        #expect(try store.count(of: "Quake") == 1)
        #expect(try await run(#"{"id":"c","mag":"2.5"}"#, into: store, types: ["mag": .string]).inserted == 1)
        try await store.close()
    }

    @Test func whatWasOnlyNullTakesTheFirstRealType() async throws {
        let store = try await open()
        #expect(try await run(#"{"id":1,"tz":null}"#, into: store).inserted == 1)
        #expect(try await run(#"{"id":2,"tz":60}"#, into: store).inserted == 1)
        #expect(try store.count(of: "Quake", where: try Filter("tz == 60")) == 1)
        #expect(try await run("{\"id\":1,\"tz\":null}\n{\"id\":2,\"tz\":60}", into: store).unchanged == 2)
        try await store.close()
    }

    @Test func malformedTextLeavesTheBatchesBefore() async throws {
        let store = try await open()
        let error = try await error("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4,}", into: store, batch: 2)
        #expect(error.code == .malformed && error.row == 4 && error.position?.line == 4 && error.imported == 2)
        #expect(error.description.hasPrefix("rows.json:4:9 (row 4): "))
        #expect(error.description.hasSuffix("; rows 1 to 2 are in the store, nothing after them is"))
        #expect(try store.count(of: "Quake") == 2)
        try await store.close()
    }

    @Test(arguments: [
        ("{\"id\":1}\n{\"x\":1}", ImportError.Code.missingKey, "the row has no id, which is its key"),
        ("{\"id\":1}\n{\"id\":null}", .missingKey, "the row has no id, which is its key"),
        ("{\"id\":1}\n{\"id\":1}", .duplicateKey, "the row has the same id as row 1; a key names one row"),
    ])
    func keysAreCompleteAndUnique(text: String, code: ImportError.Code, message: String) async throws {
        for batch in 1...2 {
            let store = try await open()
            let error = try await error(text, into: store, batch: batch)
            #expect(error.code == code && error.row == 2 && error.message == message)
            #expect(error.imported == 2 - batch)
            try await store.close()
        }
    }

    @Test func theKeyIsThatOfTheSchema() async throws {
        let store = try await open()
        #expect(try await run(#"{"id":1,"net":"a","code":2}"#, into: store, key: ["net", "code"]).inserted == 1)
        #expect(try await run(#"{"id":2,"net":"a","code":2}"#, into: store, key: ["net", "code"]).updated == 1)
        let error = await #expect(throws: ImportError.self) { try await run(#"{"id":1}"#, into: store) }
        #expect(error?.message == "the unique key of Quake is net, code, not id; import by net, code")
        try await store.close()
    }

    @Test func anEmptyFileOfRecordsChangesNothing() async throws {
        let store = try await open()
        let token = store.token
        #expect(try await run("[]", into: store) == ImportSummary())
        #expect(store.token == token)
        try await store.close()
    }

    @Test(
        arguments: [
            ("", ["id"], "an entity needs a name"), ("Quake", ["id", "id"], "the key names id twice"),
            ("Quake", ["a", "id", "a"], "the key names a twice"), ("Quake", [], "an import needs a key"),
        ] as [(String, [String], String)]) func namesThatNothingCouldBeFoundByAreRefused(
            entity: String, key: [String], message: String
        ) async throws
    {
        let store = try await open()
        let token = store.token
        let error = await #expect(throws: ImportError.self) {
            try await Importer(entity: entity, key: key).run(source(#"{"id":1,"a":2}"#), into: store)
        }
        #expect(error?.code == .schema && error?.message.hasPrefix(message) == true)
        #expect(store.token == token)
        try await store.close()
    }

    @Test func aMissingFileIsNamed() async throws {
        let store = try await open()
        let error = await #expect(throws: ImportError.self) {
            try await Importer(entity: "Quake", key: "id").run("/nowhere/quakes.json", into: store)
        }
        #expect(error?.description.hasPrefix("/nowhere/quakes.json: cannot open the file") == true)
        try await store.close()
    }
}
