import FoundationEssentials

extension Terminal {
    /// The terminal of this process.
    ///
    /// `STRANDLINE_PROGRESS=plain` asks for progress as lines, for logs.
    package static func standard() -> Terminal {
        let start = ContinuousClock.now
        return Terminal(
            output: StandardStream(descriptor: 1), talk: StandardStream(descriptor: 2),
            plainProgress: ProcessInfo.processInfo.environment["STRANDLINE_PROGRESS"] == "plain",
            elapsed: { start.duration(to: .now) })
    }
}
