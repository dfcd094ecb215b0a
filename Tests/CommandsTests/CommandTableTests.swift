import Commands
import Testing

@Suite("CommandTable")
struct CommandTableTests {
    struct Echo: Command {
        let name = "echo"
        let summary = "print the arguments"
        let usage = "usage: strandline echo WORD [--loud]\n\nPrints WORD."

        func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
            let loud = try arguments.flag("--loud")
            let word = try arguments.positional("WORD")
            try arguments.finish()
            if word == "broken" { throw CommandError.failed("the word is broken") }
            terminal.data(loud ? word.uppercased() : word)
        }
    }

    let fake = FakeTerminal()
    let table = CommandTable([Echo(), VersionCommand()])

    @Test("runs the command named first")
    func runs() async {
        #expect(await table.run(["echo", "--loud", "hello"], fake.terminal) == .done)
        #expect(fake.output.text == "HELLO\n")
        #expect(fake.talk.text == "")
    }

    @Test("a usage error is one sentence and the usage line")
    func usageError() async {
        #expect(await table.run(["echo", "a", "--lood"], fake.terminal) == .usage)
        #expect(
            fake.talk.text == """
                strandline echo: there is no option --lood; did you mean --loud?
                usage: strandline echo WORD [--loud]

                """)
        #expect(fake.output.text == "")
    }

    @Test("a failure is one sentence")
    func failure() async {
        #expect(await table.run(["echo", "broken"], fake.terminal) == .failed)
        #expect(fake.talk.text == "strandline echo: the word is broken\n")
    }

    @Test("help is data: the overview, one command by either spelling, but not behind --")
    func help() async {
        #expect(await table.run(["help"], fake.terminal) == .done)
        #expect(fake.output.text.contains("\n  echo     print the arguments\n  version  print the version\n"))
        for arguments in [["help", "echo"], ["echo", "x", "--help"]] {
            let fake = FakeTerminal()
            #expect(await table.run(arguments, fake.terminal) == .done)
            #expect(fake.output.text == "usage: strandline echo WORD [--loud]\n\nPrints WORD.\n")
        }
        let literal = FakeTerminal()
        #expect(await table.run(["echo", "--", "--help"], literal.terminal) == .done)
        #expect(literal.output.text == "--help\n")
    }

    @Test("without a command the overview is talk, and the exit code says usage")
    func nothing() async {
        #expect(await table.run([], fake.terminal) == .usage)
        #expect(fake.talk.text.hasPrefix("usage: strandline COMMAND"))
        #expect(fake.output.text == "")
    }

    @Test("an unknown command gets a hint")
    func unknown() async {
        #expect(await table.run(["ecoh"], fake.terminal) == .usage)
        #expect(fake.talk.text == "strandline: there is no command 'ecoh'; did you mean 'echo'?\n")
        let other = FakeTerminal()
        #expect(await table.run(["help", "zzzzzz"], other.terminal) == .usage)
        #expect(other.talk.text == "strandline: there is no command 'zzzzzz'; 'strandline help' lists them\n")
    }

    @Test("every command of the program has a name, a summary, and a usage line that begins with its name")
    func house() async {
        let fake = FakeTerminal()
        #expect(await CommandTable.strandline.run(["help"], fake.terminal) == .done)
        let rows = fake.output.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let names = rows.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(!names.isEmpty)
        for name in names {
            let help = FakeTerminal()
            #expect(await CommandTable.strandline.run(["help", name], help.terminal) == .done)
            #expect(help.output.text.hasPrefix("usage: strandline \(name)"))
        }
    }
}
