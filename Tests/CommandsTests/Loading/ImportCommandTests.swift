import Commands
import Storage
import Strandline
import Testing

@Suite("ImportCommand")
struct ImportCommandTests {
    private func run(_ arguments: String...) async -> (code: ExitCode, output: String, talk: String) {
        let fake = FakeTerminal()
        let code = await CommandTable.strandline.run(arguments, fake.terminal)
        return (code, fake.output.text, fake.talk.text)
    }

    @Test("imports a file, and changes nothing the second time")
    func twice() async throws {
        try await withTemporaryDirectory { directory in
            #expect(await run("create", directory + "/store").code == .done)
            let file = directory + "/rows.ndjson"
            try write("{\"id\":\"a\",\"at\":1000}\n{\"id\":\"b\",\"at\":2000}\n", to: file)
            let arguments = [
                "import", directory + "/store", file, "--entity", "Quake", "--key", "id", "--types", "at:date", "--json",
            ]
            for summary in [
                #"{"inserted":2,"updated":0,"unchanged":0,"transactions":1}"#,
                #"{"inserted":0,"updated":0,"unchanged":2,"transactions":0}"#,
            ] {
                let fake = FakeTerminal()
                #expect(await CommandTable.strandline.run(arguments, fake.terminal) == .done)
                #expect(fake.output.text == summary + "\n")
            }
            let store = try await Store.open(.directory(directory + "/store"))
            #expect(try store.count(of: "Quake", where: try Filter("at == '1970-01-01T00:00:02Z'")) == 1)
            try await store.close()
        }
    }

    @Test("names the row that stopped it")
    func failure() async throws {
        try await withTemporaryDirectory { directory in
            #expect(await run("create", directory + "/store").code == .done)
            let file = directory + "/rows.json"
            try write("[{\"id\":1},\n {\"id\":1}]", to: file)
            let result = await run("import", directory + "/store", file, "--entity", "Quake", "--key", "id", "--batch", "1")
            #expect(result.code == .failed)
            #expect(
                result.talk == "strandline import: \(file):2:2 (row 2): the row has the same id as row 1; a key names one row; "
                    + "row 1 is in the store, nothing after it is\n")
        }
    }

    @Test("makes no store")
    func missing() async throws {
        try await withTemporaryDirectory { directory in
            let file = directory + "/rows.json"
            try write("[]", to: file)
            let result = await run("import", directory + "/store", file, "--entity", "Quake", "--key", "id")
            #expect(result.code == .failed)
            #expect(result.talk.contains("there is no store; create it first"))
        }
    }

    @Test("needs an entity, a key, and types that there are")
    func usage() async {
        #expect(await run("import", "s", "f", "--key", "id").talk.hasPrefix("strandline import: --entity is missing\n"))
        #expect(await run("import", "s", "f", "--entity", "E").talk.hasPrefix("strandline import: --key is missing\n"))
        let result = await run("import", "s", "f", "--entity", "E", "--key", "id", "--types", "at:time")
        #expect(result.code == .usage && result.talk.contains("the types are bool, int, double"))
    }
}
