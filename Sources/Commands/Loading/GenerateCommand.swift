import Generators
import SampleModel
import Strandline

/// Fills a store with data made from a seed.
struct GenerateCommand: Command {
    let name = "generate"
    let summary = "fill a store with made data"
    let usage = """
        usage: strandline generate STORE GENERATOR [OPTIONS] [--seed N] [--verify] [--json]

        Makes data from a seed; one seed always gives the same content. A store that does not exist is made.

        GENERATOR is
          posts       posts with title, content, date, views and a code
          large       posts with attachments, each with a large picture
          sparse      objects each of which has another subset of ten fields
          edges       values at the edges: empty, huge, every corner of Unicode, extreme numbers and dates, null everywhere
          graph       a chain, a parent of many children, and edges between any objects
          churn       objects of one entity that are updated, deleted and restored over time
          random      a history over entities that follow from the seed as well
          conflicts   concurrent edits of the same objects in STORE and in STORE-replica-1 and so on, which stay

          --count N            how many objects, or steps of churn and random
          --posts N            of large: how many posts; 60 unless told otherwise
          --attachments N      how many each has; 11 unless told otherwise
          --image-size A...B   bytes of a picture; 10MB...20MB unless told otherwise
          --photos DIR         make them from these JPEG files, lengthened by comments; without, they are drawn
          --edges N            of graph: how many begin at an object, on average; 4 unless told otherwise
          --replicas N         of conflicts: how many edit; 3 unless told otherwise
          --rounds N           how often, before they meet; 3 unless told otherwise
          --seed N             1 unless told otherwise
          --verify             read everything back and compare it
          --check              only that: nothing is made, and the store is not changed
          --json               a summary: {"objects":1380,"blobs":660,"bytes":9899990000}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let verifies = try arguments.flag("--verify")
        let checks = try arguments.flag("--check")
        let json = try arguments.flag("--json")
        let (path, choice) = try GeneratorChoice.read(&arguments)
        try arguments.finish()
        let result: GenerationSummary
        switch choice {
        case .conflicts(let generator, let replicas) where checks:
            result = try await StoreAccess.reading(path, terminal) { try generator.verify(in: $0, replicas: replicas) }
        case .alone(let generator, let usesSampleModel) where checks:
            result =
                if usesSampleModel {
                    try await StoreAccess.reading(path, Post.self, Attachment.self, ImageData.self, terminal: terminal) {
                        try await Self.verify(generator, in: $0, terminal)
                    }
                } else {
                    try await StoreAccess.reading(path, terminal) { try await Self.verify(generator, in: $0, terminal) }
                }
        case .conflicts(let generator, let replicas):
            result = try await Self.conflict(generator, replicas, at: path, verifies, terminal)
        case .alone(let generator, usesSampleModel: true):
            result = try await StoreAccess.making(path, Post.self, Attachment.self, ImageData.self, terminal: terminal) {
                store in
                try await Self.make(generator, in: store, verifies, terminal)
            }
        case .alone(let generator, usesSampleModel: false):
            result = try await StoreAccess.making(path, terminal: terminal) { store in
                try await Self.make(generator, in: store, verifies, terminal)
            }
        }
        terminal.data(json ? Self.json(result) : Self.text(result))
    }

    private static func make(
        _ generator: any Generator, in store: Store, _ verifies: Bool, _ terminal: Terminal
    ) async throws -> GenerationSummary {
        let result = try await generate(generator, into: store, terminal)
        if verifies { try await verify(generator, in: store, terminal) }
        return result
    }

    /// In replicas beside the store, each of which has in the end what the others have.
    private static func conflict(
        _ generator: ConflictsGenerator, _ replicas: Int, at path: String, _ verifies: Bool, _ terminal: Terminal
    ) async throws -> GenerationSummary {
        let places = (1..<max(2, replicas)).prefix(replicas - 1).map { "\(path)-replica-\($0)" }
        return try await StoreAccess.making(path, terminal: terminal) { store in
            var all = [store]
            for place in places {
                var options = Store.Options()
                options.dataset = store.dataset
                all.append(try await Store.open(.directory(place), options: options))
            }
            let bar = terminal.progress("generate", total: UInt64(generator.objects), unit: .items("objects"), insist: false)
            defer { bar.finish() }
            let result = try await generator.generate(
                into: all, progress: { bar.update(done: UInt64($0.objects)) },
                meet: { _ in
                    // Twice, so that the first ones get what the last ones brought.
                    for place in places + places { try await store.sync(with: .store(path: place)) }
                })
            if verifies { for store in all { try generator.verify(in: store, replicas: replicas) } }
            for other in all.dropFirst() { try await other.close() }
            return result
        }
    }

    static func generate(
        _ generator: any Generator, into store: Store, _ terminal: Terminal, insist: Bool = false
    ) async throws -> GenerationSummary {
        let bar = Self.bar("generate", generator.total, terminal, insist)
        defer { bar.finish() }
        return try await generator.generate(into: store) { bar.update(done: Self.amount($0)) }
    }

    @discardableResult
    static func verify(
        _ generator: any Generator, in store: Store, _ terminal: Terminal, insist: Bool = false
    ) async throws -> GenerationSummary {
        let bar = Self.bar("verify", generator.total, terminal, insist)
        defer { bar.finish() }
        return try await generator.verify(in: store) { bar.update(done: Self.amount($0)) }
    }

    private static func bar(
        _ title: String, _ total: GenerationSummary, _ terminal: Terminal, _ insist: Bool
    ) -> ProgressBar {
        terminal.progress(
            title, total: amount(total), unit: total.blobs > 0 ? .bytes : .items("objects"), insist: insist)
    }

    /// Bytes where there are pictures, else objects.
    private static func amount(_ summary: GenerationSummary) -> UInt64 {
        summary.bytes > 0 ? summary.bytes : UInt64(summary.objects)
    }

    static func text(_ summary: GenerationSummary) -> String {
        let objects = "\(ProgressLine.grouped(UInt64(summary.objects))) objects"
        guard summary.blobs > 0 else { return objects }
        return "\(objects), \(ProgressLine.grouped(UInt64(summary.blobs))) blobs of \(ProgressLine.bytes(summary.bytes)) in all"
    }

    private static func json(_ summary: GenerationSummary) -> String {
        #"{"objects":\#(summary.objects),"blobs":\#(summary.blobs),"bytes":\#(summary.bytes)}"#
    }
}
