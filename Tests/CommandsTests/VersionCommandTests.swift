import Commands
import Testing

@Suite("VersionCommand")
struct VersionCommandTests {
    @Test("prints the version as text, as JSON, and for --version")
    func version() async {
        for (arguments, expected) in [
            (["version"], "strandline \(VersionCommand.current)\n"),
            (["--version"], "strandline \(VersionCommand.current)\n"),
            (["version", "--json"], "{\"version\":\"\(VersionCommand.current)\"}\n"),
        ] {
            let fake = FakeTerminal()
            #expect(await CommandTable.strandline.run(arguments, fake.terminal) == .done)
            #expect(fake.output.text == expected)
        }
    }
}
