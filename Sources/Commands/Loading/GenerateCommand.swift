import Generators
import SampleModel
import Strandline

/// Fills a store with data made from a seed.
struct GenerateCommand: Command {
    let name = "generate"
    let summary = "fill a store with made data"
    let usage = """
        usage: strandline generate STORE posts|large [--count N] [--posts N] [--attachments N] [--image-size A...B] [--photos DIR] \
        [--seed N] [--verify] [--json]

        Makes data from a seed; one seed always gives the same content. A store that does not exist is made.

        posts: posts with title, content, date, views and a code.
          --count N            how many; 1000 unless told otherwise

        large: posts with attachments, each with a large picture.
          --posts N            how many posts; 60 unless told otherwise
          --attachments N      how many each has; 11 unless told otherwise
          --image-size A...B   bytes of a picture; 10MB...20MB unless told otherwise
          --photos DIR         make them from these JPEG files, lengthened by comments; without, they are noise

          --seed N             1 unless told otherwise
          --verify             read everything back and compare it
          --json               a summary: {"objects":1380,"blobs":660,"bytes":9899990000}
        """

    private enum Kind: String, CaseIterable, ArgumentValue {
        case posts, large
    }

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let count = try arguments.option("--count", as: UInt32.self)
        let posts = try arguments.option("--posts", as: UInt32.self)
        let attachments = try arguments.option("--attachments", as: UInt32.self)
        let size = try arguments.option("--image-size", as: ByteRangeArgument.self)?.range
        let photos = try arguments.option("--photos")
        let seed = try arguments.option("--seed", as: UInt64.self) ?? 1
        let verifies = try arguments.flag("--verify")
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let kind = try arguments.positional("posts or large", as: Kind.self)
        try arguments.finish()
        let generator: any Generator
        switch kind {
        case .posts:
            guard posts == nil, attachments == nil, size == nil, photos == nil else {
                throw CommandError.usage("--posts, --attachments, --image-size and --photos are for large")
            }
            generator = PostGenerator(count: Int(count ?? 1_000), seed: seed)
        case .large:
            guard count == nil else { throw CommandError.usage("--count is for posts; large has --posts") }
            generator = LargeDataGenerator(
                posts: Int(posts ?? 60), attachments: Int(attachments ?? 11), imageSize: size ?? 10_000_000...20_000_000,
                seed: seed, photos: photos)
        }
        let result = try await StoreAccess.making(
            path, Post.self, Attachment.self, ImageData.self, terminal: terminal
        ) { store in
            let result = try await Self.generate(generator, into: store, terminal)
            if verifies { try await Self.verify(generator, in: store, terminal) }
            return result
        }
        terminal.data(json ? Self.json(result) : Self.text(result))
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
