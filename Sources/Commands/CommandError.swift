/// Why a command ends without having done what was asked: one sentence for the user, and the exit code.
package struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    package var code: ExitCode
    package var description: String
    /// Whether the usage line helps: not when a single word of the command line is malformed.
    package var showsUsage = true

    /// The command line makes no sense; the usage line is printed below the sentence.
    package static func usage(_ sentence: String) -> CommandError {
        CommandError(code: .usage, description: sentence)
    }

    /// A word of the command line cannot be read, whatever the store.
    package static func malformed(_ sentence: String) -> CommandError {
        CommandError(code: .usage, description: sentence, showsUsage: false)
    }

    /// The command line was fine, the work failed.
    package static func failed(_ sentence: String) -> CommandError {
        CommandError(code: .failed, description: sentence)
    }
}
