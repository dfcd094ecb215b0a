/// Tells which version of the program this is.
package struct VersionCommand: Command {
    /// The version of the product; the changelog lists what each one brought.
    package static let current = "0.1.0"

    package let name = "version"
    package let summary = "print the version"
    package let usage = """
        usage: strandline version [--json]

        Prints the version of this program.

          --json   as a JSON object: {"version":"…"}
        """

    package init() {}

    package func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        try arguments.finish()
        terminal.data(json ? #"{"version":"\#(Self.current)"}"# : "strandline \(Self.current)")
    }
}
