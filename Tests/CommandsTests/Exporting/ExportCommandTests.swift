import Commands
import Foundation
import Simulation
import Storage
import Strandline
import Testing

@Suite("ExportCommand")
struct ExportCommandTests {
    private func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test("NDJSON has a line per object, as fetch prints it")
    func ndjson() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let file = harness.directory + "/posts.ndjson"
            #expect(try await harness.output("export", harness.store, "Post", file) == "3 exported")
            let lines = try read(file)
            #expect(lines.hasSuffix("}\n"))
            let fetched = try await harness.output("fetch", harness.store, "Post", "--json")
            #expect("[\n" + lines.dropLast().replacingOccurrences(of: "\n", with: ",\n") + "\n]" == fetched)
            #expect(await harness.run("export", harness.store, "Post", "-").output == lines)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: harness.directory).sorted() == ["posts.ndjson", "store"])
        }
    }

    @Test("CSV has names, quoted texts, and nothing for null")
    func csv() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let file = harness.directory + "/posts.csv"
            let names = ["--properties", "title,content,views,createdAt,code", "--sort", "-views", "--json"]
            let fake = FakeTerminal()
            #expect(await CommandTable.strandline.run(["export", harness.store, "Post", file] + names, fake.terminal) == .done)
            #expect(fake.output.text == #"{"exported":3}"# + "\n")
            #expect(
                try read(file)
                    == [
                        "title,content,views,createdAt,code", #""Cyd","",3,2001-01-01T00:00:00.000Z,"#,
                        "\"Bob\",\"two\nlines\",2,2001-01-01T00:00:00.000Z,",
                        #""Ada","",1,2001-01-01T00:00:00.125Z,E621E1F8-C36C-495A-93FC-0C247A3E6E5F"#, "",
                    ].joined(separator: "\r\n"))
            let whole = try await harness.output("export", harness.store, "Attachment", "-", "--format", "csv")
            let ada = try await harness.post("Ada")
            let lines = whole.split(separator: "\r\n")
            #expect(lines.first == "_id,imageData,name,post")
            #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(",\(ada)") } && lines.count == 3)
        }
    }

    @Test("values of every type read back as the same content, and dates are found as they are printed", arguments: 0..<4)
    func roundTrip(seed: UInt64) async throws {
        var dice = SplitMix64(seed: seed)
        let types: [ValueType] = [.bool, .int, .double, .string, .date, .uuid, .data]
        let id = Property("id", .int)
        let count = Property("count", .counter)
        let fields = [FieldDeclaration(id), FieldDeclaration(count)]
        let optional = types.map { FieldDeclaration(Property("\($0)", $0), isOptional: true) }
        let declaration = EntityDeclaration(name: "Thing", fields: fields + optional, uniqueKey: ["id"])
        let rows = (0..<200).map { number in
            [PropertyValue(id, .int(number)), PropertyValue(count, .counter(Int64(bitPattern: dice.next())))]
                + types.map { PropertyValue(Property("\($0)", $0), Self.value($0, &dice)) }
        }
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let (first, second) = (harness.directory + "/first", harness.directory + "/second")
            for path in [first, second] {
                let store = try await Store.open(.directory(path))
                try await store.write { tx in
                    try tx.declare(declaration)
                    if path == first { for row in rows { try tx.insert("Thing", row) } }
                }
                try await store.close()
            }
            let file = harness.directory + "/things"
            _ = try await harness.output("export", first, "Thing", file)
            _ = try await harness.output("import", second, file, "--entity", "Thing", "--key", "id")
            let digest = try await harness.output("digest", first, "--content")
            #expect(try await harness.output("digest", second, "--content") == digest)

            let dates = try await harness.output("export", first, "Thing", "-", "--format", "csv", "--properties", "date")
            for date in Set(dates.split(separator: "\r\n").dropFirst()) where !date.isEmpty && !date.hasPrefix("nan") {
                let found = try await harness.output("fetch", second, "Thing", "--where", "date = '\(date)'", "--count")
                #expect(found != "0", "\(date)")
            }
        }
    }

    private static func value(_ type: ValueType, _ dice: inout SplitMix64) -> Value {
        if dice.next() % 8 == 0 { return .null }
        switch type {
        case .bool: return .bool(dice.next() % 2 == 0)
        case .double:
            let special = [Double.nan, .infinity, -.infinity, -0.0, 0, 1, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
            return .double(dice.next() % 3 == 0 ? special[Int(dice.next() % 8)] : Double(bitPattern: dice.next()))
        case .date:
            switch dice.next() % 4 {
            case 0: return .date(Double(bitPattern: dice.next()))
            case 1: return .date(Double.random(in: 2.5e11...9e11, using: &dice))
            default: return .date(Double.random(in: -1e9...1e9, using: &dice))
            }
        case .string:
            var text = String.UnicodeScalarView()
            for _ in 0..<dice.next() % 12 {
                if let scalar = Unicode.Scalar(UInt32(dice.next() % (dice.next() % 2 == 0 ? 128 : 0x11_0000))) {
                    text.append(scalar)
                }
            }
            return .string(String(text))
        case .uuid: return .uuid(Digest128(high: dice.next(), low: dice.next()))
        case .data: return .data((0..<dice.next() % 9).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
        default: return .int(Int64(bitPattern: dice.next()))
        }
    }

    @Test("a predicate, a token, an order and names choose what is written")
    func choices() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let token = try await harness.output("token", harness.store)
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "views=9")
            func titles(_ arguments: String...) async throws -> String {
                let fake = FakeTerminal()
                let all = ["export", harness.store, "Post", "-", "--properties", "title"] + arguments
                #expect(await CommandTable.strandline.run(all, fake.terminal) == .done, "\(fake.talk.text)")
                return fake.output.text
            }
            #expect(try await titles("--where", "views == 2") == "")
            #expect(try await titles("--where", "views == 2", "--at", token) == #"{"title":"Bob"}"# + "\n")
            #expect(
                try await titles("--sort", "-title", "--at", token, "--where", "views > 1")
                    == #"{"title":"Cyd"}"# + "\n" + #"{"title":"Bob"}"# + "\n")
            let many = try await harness.output(
                "export", harness.store, "Post", "-", "--where", "title == 'Ada'", "--properties", "_id,attachments")
            #expect(many.hasPrefix(#"{"_id":"\#(try await harness.post("Ada"))","attachments":["strandline:"#), "\(many)")
        }
    }

    @Test("what was exported can be imported, and is the same")
    func roundTrip() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let rows = [
                #"{"id":"a","at":"2020-10-13T08:30:00.125Z","mag":2.5,"count":9007199254740993,"ok":true,"place":"Ünï \"q\", x"}"#,
                #"{"id":"b","at":-1,"mag":1e-300,"count":-1,"ok":false,"place":""}"#,
                #"{"id":"c","at":null,"mag":null,"count":null,"ok":null,"place":null}"#,
                #"{"id":"d\n\u0001","mag":-0.1}"#,
            ]
            let source = harness.directory + "/rows.ndjson"
            try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: source))
            var digests: [String] = []
            var file = source
            for name in ["one", "two", "three"] {
                let store = harness.directory + "/" + name
                _ = try await harness.output("create", store)
                _ = try await harness.output(
                    "import", store, file, "--entity", "Quake", "--key", "id", "--types",
                    "at:date,mag:double,count:int,ok:bool,place:string")
                file = harness.directory + "/" + name + ".ndjson"
                _ = try await harness.output("export", store, "Quake", file, "--properties", "id,at,mag,count,ok,place")
                digests.append(try read(file))
            }
            #expect(digests[0] == digests[1] && digests[1] == digests[2])
            #expect(digests[0].split(separator: "\n").count == 4)
            #expect(digests[0].contains(#""count":9007199254740993"#) && digests[0].contains("1e-300"))
            // Nothing is lost on the way: importing the export into the first store changes nothing.
            let again = try await harness.output(
                "import", harness.directory + "/one", file, "--entity", "Quake", "--key", "id", "--json")
            #expect(again.contains(#""inserted":0,"updated":0,"unchanged":4"#), "\(again)")
        }
    }

    @Test("refusals leave no file")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let file = harness.directory + "/out.csv"
            try await harness.refuses("export", harness.store, "Pots", file, code: .failed, saying: "did you mean Post?")
            try await harness.refuses(
                "export", harness.store, "Post", file, "--properties", "title,tilte", code: .failed,
                saying: "did you mean title?")
            try await harness.refuses(
                "export", harness.store, "Post", file, "--properties", "title,title", code: .failed, saying: "title twice")
            try await harness.refuses(
                "export", harness.store, "Post", file, "--format", "xml", code: .usage, saying: "ndjson, csv")
            try await harness.refuses("export", harness.store, "Post", code: .usage, saying: "FILE")
            try await harness.refuses(
                "export", harness.store, "Post", harness.directory + "/none/x.csv", code: .failed, saying: "none")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory) == ["store"])
        }
    }
}
