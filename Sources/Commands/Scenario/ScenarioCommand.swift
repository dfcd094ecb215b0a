import Foundation
import Generators
import Strandline

/// Runs the whole way of a large data set, and tells what it took.
struct ScenarioCommand: Command {
    let name = "scenario"
    let summary = "generate large data, export it, import it elsewhere, verify both, and measure each stage"
    let usage = """
        usage: strandline scenario [DIR] [--posts N] [--attachments N] [--image-size A...B] [--photos DIR] [--seed N] \
        [--transport folder|unix] [--json]

        Generates posts with large pictures in one replica, brings all of them to a second, empty one, and verifies every post and
        every byte of every picture on both sides. Each stage is a process of its own; for each the time, the speed beside that of
        the bare disk, and the most memory it held are printed. What is to be said goes to standard error.

          DIR                  where; must be empty or missing, and is kept. Without, a temporary directory that is removed.
          --posts N            how many posts; 60 unless told otherwise
          --attachments N      how many each has; 11 unless told otherwise
          --image-size A...B   bytes of a picture; 10MB...20MB unless told otherwise: about 10 GB in all
          --photos DIR         make them from these JPEG files, lengthened by comments; without, they are drawn
          --seed N             1 unless told otherwise
          --transport WAY      folder (three copies on the disk), or unix: a socket (two copies); folder unless told otherwise
          --json               {"objects":…,"blobs":…,"bytes":…,"stages":[{"stage":…,"process":…,"seconds":…,"peakMemoryKiB":…}]}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let posts = try arguments.option("--posts", as: UInt32.self) ?? 60
        let attachments = try arguments.option("--attachments", as: UInt32.self) ?? 11
        let size = try arguments.option("--image-size")
        let photos = try arguments.option("--photos")
        let seed = try arguments.option("--seed", as: UInt64.self) ?? 1
        let way = try arguments.option("--transport", as: Scenario.Way.self) ?? .folder
        let json = try arguments.flag("--json")
        let given = try arguments.optionalPositional("DIR")
        try arguments.finish()
        let range = try size.map { text -> ClosedRange<UInt64> in
            guard let range = ByteRangeArgument(argument: text)?.range else {
                throw CommandError.usage("--image-size needs \(ByteRangeArgument.expectation), not '\(text)'")
            }
            return range
        }
        let generator = LargeDataGenerator(
            posts: Int(posts), attachments: Int(attachments), imageSize: range ?? 10_000_000...20_000_000, seed: seed,
            photos: photos)
        try generator.checkPhotos()
        var options = ["large", "--posts", "\(posts)", "--attachments", "\(attachments)", "--seed", "\(seed)"]
        if let size { options += ["--image-size", size] }
        if let photos { options += ["--photos", photos] }
        let directory = given ?? FileManager.default.temporaryDirectory.path + "/strandline-scenario-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        guard try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty else {
            throw CommandError.failed("\(directory) is not empty; give a directory that is, or none")
        }
        defer { if given == nil { try? FileManager.default.removeItem(atPath: directory) } }
        let scenario = Scenario(
            directory: directory, way: way, arguments: options, total: generator.total, terminal: terminal)
        try scenario.checkRoom()
        let report = try scenario.run()
        if json { return terminal.json(report.json) }
        report.forEachLine { terminal.data($0) }
    }
}
