import Foundation
import Testing

/// The programs in Examples, as a reader would run them.
@Suite("Examples")
struct ExamplesProcessTests {
    @Test(
        "run and say what they have come to",
        arguments: [
            ("example-folder", "both have: Buy oat milk with 5 stars\n"),
            ("example-hub", "far sees 2 cold readings of the roof\n"),
        ])
    func run(program: String, end: String) async throws {
        guard let path = ChildProcess.path(of: program) else { return }
        let directory = FileManager.default.temporaryDirectory.appending(path: "x-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let child = try ChildProcess(path, [], in: directory)
        let code = await child.wait()
        let (text, talk) = (try child.text(), try child.said())
        #expect(code == 0 && text.hasSuffix(end), "\(code): \(text) \(talk)")
    }
}
