/// One word of the command line and what it does.
package protocol Command: Sendable {
    /// The word that calls it.
    var name: String { get }
    /// One line for the list of commands, without a full stop.
    var summary: String { get }
    /// The text of `--help`. Its first line is the usage line: "usage: strandline NAME STORE [--option VALUE]".
    var usage: String { get }
    /// Reads its arguments to the end, then works. Throws ``CommandError``, or an error that describes itself in a sentence.
    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws
}

extension Command {
    /// The first line of the help, printed below a usage error.
    package var usageLine: String { String(usage.prefix { $0 != "\n" }) }
}
