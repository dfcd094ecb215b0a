import Generators
import Interchange
import SampleModel
import Storage
import Strandline

/// Three people edit copies of one dataset at once, and come to agree.
struct Demo {
    let directory: String
    let scale: Double
    let terminal: Terminal

    private let posts: PostGenerator
    private let large: LargeDataGenerator
    private let quakes: QuakeFeed
    /// What two people import on their own.
    private let late: QuakeFeed

    init(in directory: String, scale: Double, _ terminal: Terminal) {
        self.directory = directory
        self.scale = scale
        self.terminal = terminal
        func scaled(_ count: Int, atLeast least: Int) -> Int { max(least, Int((Double(count) * scale).rounded())) }
        posts = PostGenerator(count: scaled(2_000, atLeast: 10), seed: 1)
        large = LargeDataGenerator(
            posts: scaled(20, atLeast: 1), attachments: 5, imageSize: 200_000...1_000_000, seed: 2)
        quakes = QuakeFeed(count: scaled(2_000, atLeast: 10), seed: 1)
        late = QuakeFeed(count: 50, seed: 2)
    }

    /// - Returns: the digest of each replica.
    func run() async throws -> [String] {
        let anna = try await DemoReplica("Anna", at: path("anna"))
        try await fill(anna)
        let before = anna.store.token
        let ben = try await DemoReplica("Ben", at: path("ben"), joining: anna.store.dataset)
        let carla = try await DemoReplica("Carla", at: path("carla"), joining: anna.store.dataset)
        let people = [anna, ben, carla]

        terminal.say("\nThey sync over a shared folder.")
        try Environment.system.fileSystem.createDirectories(path("folder"))
        try await sync(people)
        try check(try Set(people.map { try $0.store.digest() }).count == 1, "the copies differ after the first sync")

        try await edit(anna, ben, carla)
        terminal.say("\nThey sync again, in another order.")
        try await sync([carla, anna, ben, carla, anna])

        try await showConflicts(people, since: before)
        try await checkMerge(people)
        try await travel(carla, to: before)
        for person in people {
            let checked = try await GenerateCommand.verify(large, in: person.store, terminal)
            terminal.say(
                "\(person.name): \(checked.blobs) pictures, \(ProgressLine.bytes(checked.bytes)), are as they were made")
        }
        let digests = try people.map { try $0.store.digest() }
        for person in people { try await person.store.close() }
        return digests
    }

    private func fill(_ anna: DemoReplica) async throws {
        terminal.say("Anna fills her store in \(path("anna")).")
        let made = try await GenerateCommand.generate(posts, into: anna.store, terminal)
        terminal.say("made \(ProgressLine.grouped(UInt64(made.objects))) posts")
        terminal.say("made " + GenerateCommand.text(try await GenerateCommand.generate(large, into: anna.store, terminal)))
        try await read(quakes, anna)
    }

    /// Imports a feed, as a file.
    private func read(_ feed: QuakeFeed, _ person: DemoReplica) async throws {
        let file = path("quakes-\(feed.seed).geojson")
        try write(feed.text, to: file)
        var importer = Importer(entity: "Quake", key: "id", types: ["time": .date])
        importer.author = person.name
        let summary = try await importer.run(file, into: person.store)
        terminal.say("\(person.name) imports \(summary.inserted) earthquakes from \(file)")
        let again = try await importer.run(file, into: person.store)
        try check(again.unchanged == feed.count, "importing \(file) again was to change nothing, and changed \(again)")
    }

    private func sync(_ people: [DemoReplica]) async throws {
        for person in people { terminal.say(try await person.sync(over: path("folder"))) }
    }

    private func write(_ text: String, to path: String) throws {
        let file = try Environment.system.fileSystem.open(path, .create)
        defer { file.close() }
        try file.truncate(to: 0)
        try file.write(Array(text.utf8).span, at: 0)
    }

    func path(_ name: String) -> String { Path.join(directory, name) }

    func check(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(CommandError) {
        if !holds { throw .failed(otherwise()) }
    }

    /// Posts without pictures, by creation: those that the three edit.
    func edited(_ person: DemoReplica) throws -> [Post.ID] { Array(try person.store.ids(of: Post.all.limit(5))) }

    func importLate(_ person: DemoReplica) async throws { try await read(late, person) }

    /// How many there are to be in the end.
    var expected: (posts: Int, quakes: Int) { (posts.count + large.posts - 1, quakes.count + late.count) }
}
