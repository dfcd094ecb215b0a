extension Environment {
    /// The operating system's files, clock and chance, on this machine.
    public static var system: Environment {
        Environment(fileSystem: POSIXFileSystem(), clock: SystemClock(), random: SystemRandom(), host: .current)
    }

    /// As ``system``, with files that live in memory and end with the last reference to them: for tests and previews.
    public static func inMemory() -> Environment {
        Environment(fileSystem: InMemoryFileSystem(), clock: SystemClock(), random: SystemRandom(), host: .current)
    }
}
