import EventLog
import Interchange
import Storage
import Strandline

/// Collects what support needs to know of a store.
struct DiagnoseCommand: Command {
    let name = "diagnose"
    let summary = "collect what support needs of a store in one directory, without anything that is in it"
    let usage = """
        usage: strandline diagnose STORE [OUT] [--json]

        Makes a directory that can be sent to somebody else: what 'info', 'schema' and 'verify' say, which files the store has, and
        its records. The store need not open, and may be in use; nothing of it is changed. 'strandline log OUT' reads the records.

        No value of a property is in it, no blob and no blob's name, no path of the store. In it are ids, counts, sizes, times, the names of entities,
        properties and consumers, and the addresses of peers.

          OUT      the directory to make, or an empty one; without it one with a name of its own, here
          --json   one object: {"path":…,"sound":…,"files":…,"bytes":…,"failures":{…}}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let given = try arguments.optionalPositional("OUT", as: String.self)
        try arguments.finish()
        let now = Environment.system.clock.now()
        var diagnosis = Diagnosis(of: path, to: given ?? Self.place(for: path, at: now))
        try diagnosis.begin()
        let progress = terminal.progress("verify \(path)", total: nil, unit: .bytes)
        defer { progress.finish() }
        var isSound = false
        try await diagnosis.part("verify.json") {
            let found = try await Store.verify(.directory(path)) { done, total in progress.update(done: done, total: total) }
            isSound = found.isSound
            return VerifyCommand.json(found, nil)
        }
        progress.finish()
        try await diagnosis.part("files.json") { Self.json(try StoreFiles(of: path, in: POSIXFileSystem())) }
        try await diagnosis.part("info.json") { InfoCommand.json(try await Self.reading(path) { try await $0.info() }) }
        try await diagnosis.part("schema.json") {
            .array(try await Self.reading(path) { try $0.schema() }.map(SchemaCommand.json))
        }
        // Last, so that what opening the store had to say is among them.
        try diagnosis.records()
        try diagnosis.about(Self.about(DateArgument.text(now), diagnosis))
        show(diagnosis, isSound: isSound, json: json, terminal)
    }

    /// Without a word to the terminal: what goes wrong is in the bundle.
    private static func reading<Result>(_ path: String, _ body: (Store) async throws -> Result) async throws -> Result {
        var options = Store.Options()
        options.isReadOnly = true
        options.creates = false
        let store = try await Store.open(.directory(path), options: options)
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// `app.store-diagnosis-20261130T083000Z`.
    package static func place(for path: String, at milliseconds: UInt64) -> String {
        let time = DateArgument.text(milliseconds / 1_000 * 1_000).replacing(".000", with: "").filter { $0 != "-" && $0 != ":" }
        return "\(Path.names(of: path).last ?? "store")-diagnosis-\(time)"
    }

    private func show(_ diagnosis: Diagnosis, isSound: Bool, json: Bool, _ terminal: Terminal) {
        let bytes = diagnosis.written.reduce(0) { $0 + $1.bytes }
        guard json else {
            for file in diagnosis.written {
                terminal.data("\(diagnosis.output)/\(file.name)  \(ProgressLine.bytes(UInt64(file.bytes)))")
            }
            for failure in diagnosis.failures { terminal.say("note: \(failure.name): \(failure.error)") }
            return
        }
        terminal.json(
            .object([
                JSONMember("path", .string(diagnosis.output)), JSONMember("sound", .bool(isSound)),
                JSONMember("files", .integer(Int64(diagnosis.written.count))), JSONMember("bytes", .integer(Int64(bytes))),
                JSONMember("failures", .object(diagnosis.failures.map { JSONMember($0.name, .string($0.error)) })),
            ]))
    }

    private static func about(_ time: String, _ diagnosis: Diagnosis) -> String {
        """
        Diagnosis of a Strandline store, made \(time) by strandline \(VersionCommand.current).

        verify.json   what is damaged, and what is worth knowing
        files.json    how many files each directory of the store has, and how large; segments, runs, and the manifest's summary
        info.json     dataset, replica, objects of each entity, how far the history reaches, who has acknowledged it, what is held back
        schema.json   the entities and their properties
        logs/         the records of the last while: strandline log DIRECTORY [--where PREDICATE]

        Not in it: values of properties, blobs and their names, the path of the store, the words of commands that reach peers.
        In it: ids, counts, sizes, times, the names of entities, properties, consumers and files of the store, addresses of peers.
        \(diagnosis.failures.isEmpty ? "" : "\nCould not be had:\n" + diagnosis.failures.map { "  \($0.name): \($0.error)\n" }.joined())
        """
    }

    private static func json(_ files: StoreFiles) -> JSONValue {
        func number(_ name: String, _ value: some BinaryInteger) -> JSONMember {
            JSONMember(name, .integer(Int64(clamping: value)))
        }
        let manifest: JSONValue
        switch files.manifest {
        case .success(let summary):
            manifest = .object([
                number("generation", summary.generation), number("firstOrdinal", summary.firstOrdinal),
                number("lastOrdinal", summary.lastOrdinal), JSONMember("baseline", .bool(summary.hasBaseline)),
                JSONMember(
                    "ends", .array(summary.ends.map { .object([number("ordinal", $0.ordinal), number("end", $0.end)]) })),
            ])
        case .failure(let error): manifest = .object([JSONMember("error", .string(error.description))])
        }
        return .object([
            JSONMember(
                "directories",
                .array(
                    files.sums.map {
                        .object([JSONMember("name", .string($0.name)), number("files", $0.files), number("bytes", $0.bytes)])
                    })),
            JSONMember(
                "segments",
                .array(
                    files.segments.map {
                        .object([number("ordinal", $0.ordinal), number("firstLSN", $0.firstLSN), number("bytes", $0.bytes)])
                    })),
            JSONMember("runs", .array(files.runs.map { .integer(Int64(clamping: $0)) })),
            JSONMember("manifest", manifest),
        ])
    }
}
