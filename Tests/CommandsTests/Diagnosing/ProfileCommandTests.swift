import Commands
import Foundation
import Interchange
import Testing

/// Profiled commands run in processes of their own.
@Suite struct ProfileCommandTests {
    @Test func whatACommandTookIsTold() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await withTemporaryDirectory { (directory: String) async throws in
            let store = directory + "/store"
            let made = try ChildProcess(
                program, ["profile", "--json", "generate", store, "sparse", "--count", "300", "--json"], in: directory)
            let code = await made.wait()
            let said = try made.said()
            #expect(code == 0, "\(said)")
            var parser = JSONParser(MemoryByteSource(Array(try made.text().utf8)))
            let json = try parser.value()
            #expect(json["output"] == .string("{\"objects\":300,\"blobs\":0,\"bytes\":0}\n"))
            guard case .number(let seconds)? = json["seconds"], case .array(let stages)? = json["stages"] else {
                return #expect(Bool(false), "no seconds, or no stages")
            }
            #expect(seconds > 0 && stages.contains { $0["stage"] == .string("closing") })
            let shown = try ChildProcess(program, ["profile", "fetch", store, "Sparse", "--count"], in: directory)
            #expect(await shown.wait() == 0)
            let text = try shown.text()
            #expect(text.hasPrefix("300\nseconds") && text.contains("\nmemory") && text.contains("\nwritten"))
            let failing = try ChildProcess(program, ["profile", "fetch", store, "Nothing"], in: directory)
            #expect(await failing.wait() == 1)
            #expect(try failing.said().contains("no entity Nothing"))
            let none = try ChildProcess(program, ["profile"], in: directory)
            #expect(await none.wait() == 64)
        }
    }
}
