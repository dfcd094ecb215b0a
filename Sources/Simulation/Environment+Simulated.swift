public import Storage

extension Environment {
    /// A machine of its own: empty simulated files, a clock that stands still, chance and host identity from `seed`.
    ///
    /// The same seed and the same calls give the same bytes.
    public static func simulated(
        seed: UInt64, fileSystem: SimulatedFileSystem = SimulatedFileSystem(), clock: SimulatedClock = SimulatedClock()
    ) -> Environment {
        var identity = SplitMix64(seed: ~seed)
        let machine = Digest128(high: identity.next(), low: identity.next())
        let boot = Digest128(high: identity.next(), low: identity.next())
        return Environment(
            fileSystem: fileSystem, clock: clock, random: SeededRandom(seed: seed),
            host: HostIdentity(machine: machine, boot: boot))
    }

    /// The same machine after a restart: another boot, other files if given, chance that goes on from `seed`.
    public func rebooted(fileSystem: (any FileSystem)? = nil, seed: UInt64) -> Environment {
        var random = SplitMix64(seed: seed ^ host.boot.low)
        var next = self
        next.fileSystem = fileSystem ?? self.fileSystem
        next.random = SeededRandom(seed: random.next())
        next.host.boot = Digest128(high: random.next(), low: random.next())
        return next
    }
}
