/// All commands, and the way from a command line to one of them.
package struct CommandTable: Sendable {
    private let commands: [any Command]

    /// The commands of the program, in the order in which they are listed: that of the alphabet.
    package static let strandline = CommandTable([
        BackupCommand(),
        BlobsCommand(),
        CompactCommand(),
        ConflictsCommand(),
        CreateCommand(),
        DeleteCommand(),
        DemoCommand(),
        DeviceCommand(),
        DiagnoseCommand(),
        DigestCommand(),
        ExportBlobCommand(),
        ExportCommand(),
        FetchCommand(),
        ForgetCommand(),
        GenerateCommand(),
        GetCommand(),
        HistoryCommand(),
        ImportCommand(),
        InfoCommand(),
        InsertCommand(),
        LogCommand(),
        ProfileCommand(),
        RebuildCommand(),
        ReleaseCommand(),
        ScenarioCommand(),
        SchemaCommand(),
        ServeCommand(),
        StatsCommand(),
        StatusCommand(),
        SyncCommand(),
        TokenCommand(),
        TrimCommand(),
        TrustCommand(),
        UndoCommand(),
        UntrustCommand(),
        UpdateCommand(),
        VerifyCommand(),
        VersionCommand(),
        WatchCommand(),
    ])

    /// A table of these commands; names must differ.
    package init(_ commands: [any Command]) {
        precondition(Set(commands.map(\.name)).count == commands.count, "two commands have the same name")
        self.commands = commands
    }

    /// Runs the command named by the first of `arguments` (the program's name left out).
    ///
    /// Data goes to standard output, one sentence about what went wrong to standard error. Returns the exit code.
    package func run(_ arguments: [String], _ terminal: Terminal) async -> ExitCode {
        let code = await dispatch(arguments, terminal)
        terminal.flush()
        return code
    }

    private func dispatch(_ arguments: [String], _ terminal: Terminal) async -> ExitCode {
        guard let first = arguments.first else {
            terminal.say(overview)
            return .usage
        }
        switch first {
        case "help", "--help", "-h": return help(arguments.dropFirst().first, terminal)
        case "--version": return await run(VersionCommand(), [], terminal)
        default: break
        }
        guard let command = commands.first(where: { $0.name == first }) else { return unknown(first, terminal) }
        let rest = Array(arguments.dropFirst())
        if rest.prefix(while: { $0 != "--" }).contains("--help") {
            terminal.data(command.usage)
            return .done
        }
        return await run(command, rest, terminal)
    }

    private func run(_ command: any Command, _ arguments: [String], _ terminal: Terminal) async -> ExitCode {
        var reader = ArgumentReader(arguments)
        do {
            try await command.run(&reader, terminal)
            return .done
        } catch let error as CommandError {
            terminal.say("strandline \(command.name): \(error.description)")
            if error.code == .usage, error.showsUsage { terminal.say(command.usageLine) }
            return error.code
        } catch {
            terminal.say("strandline \(command.name): \(error)")
            return .failed
        }
    }

    private func help(_ name: String?, _ terminal: Terminal) -> ExitCode {
        guard let name else {
            terminal.data(overview)
            return .done
        }
        guard let command = commands.first(where: { $0.name == name }) else { return unknown(name, terminal) }
        terminal.data(command.usage)
        return .done
    }

    private func unknown(_ name: String, _ terminal: Terminal) -> ExitCode {
        let meant = EditDistance.nearest(to: name, in: commands.map(\.name) + ["help"])
        let hint = meant.map { "did you mean '\($0)'?" } ?? "'strandline help' lists them"
        terminal.say("strandline: there is no command '\(name)'; \(hint)")
        return .usage
    }

    private var overview: String {
        let width = commands.map(\.name.count).max() ?? 0
        let rows = commands.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count + 2) + command.summary
        }
        return """
            usage: strandline COMMAND [ARGUMENTS]

            \(rows.joined(separator: "\n"))

            'strandline COMMAND --help' explains one of them.
            """
    }
}
