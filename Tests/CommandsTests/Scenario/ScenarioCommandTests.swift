import Commands
import Foundation
import Interchange
import Testing

/// The scenario of large data, at a small scale: what it does is what it does at full scale.
@Suite struct ScenarioCommandTests {
    private func run(_ arguments: [String], in directory: String) async throws -> (code: Int32, output: String, talk: String)? {
        guard let program = ChildProcess.path(of: "strandline") else { return nil }
        let child = try ChildProcess(program, ["scenario"] + arguments, in: directory)
        let code = await child.wait()
        return (code, try child.text(), try child.said())
    }

    @Test(arguments: ["folder", "unix"]) func everyPictureArrives(over way: String) async throws {
        try await withTemporaryDirectory { (directory: String) async throws in
            let place = directory + "/scenario"
            let arguments = [
                place, "--posts", "3", "--attachments", "2", "--image-size", "200kB...400kB", "--transport", way, "--json",
            ]
            guard let (code, output, talk) = try await run(arguments, in: directory) else { return }
            #expect(code == 0, "\(talk)")
            var parser = JSONParser(MemoryByteSource(Array(output.utf8)))
            let json = try parser.value()
            #expect(json["objects"] == .integer(15) && json["blobs"] == .integer(6))
            guard case .array(let stages)? = json["stages"] else { return #expect(Bool(false), "no stages in \(output)") }
            #expect(
                stages.map { $0["stage"] }
                    == ["bare disk", "generate", "export", "import", "verify", "verify"].map { .string($0) })
            for stage in stages {
                #expect(stage["bytes"] == json["bytes"])
                guard case .number(let seconds)? = stage["seconds"] else { return #expect(Bool(false), "no seconds") }
                #expect(seconds > 0)
            }
            // Both replicas stay, and each has everything.
            let files = try FileManager.default.contentsOfDirectory(atPath: place)
            #expect(files.contains("exporter") && files.contains("importer") && !files.contains("bare"))
            let again = try await run(arguments, in: directory)
            #expect(again?.code == 1 && again?.talk.contains("is not empty") == true)
        }
    }

    @Test func whatDoesNotFitIsSaidBefore() async throws {
        try await withTemporaryDirectory { (directory: String) async throws in
            let place = directory + "/scenario"
            let huge = [place, "--posts", "100", "--attachments", "1000", "--image-size", "2GB"]
            guard let (code, _, talk) = try await run(huge, in: directory) else { return }
            #expect(code == 1 && talk.contains("bytes) in \(place)") && talk.contains("choose another directory"), "\(talk)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
            let photos = try await run([place, "--photos", directory + "/none"], in: directory)
            #expect(photos?.code == 1)
            #expect(try await run([place, "--image-size", "5XB"], in: directory)?.code == 64)
            #expect(try await run([place, "--transport", "pigeon"], in: directory)?.code == 64)
        }
    }
}
