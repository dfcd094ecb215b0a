/// Everything a store takes from the world around it: files, time, chance, and the machine it runs on.
///
/// `Simulation` replaces each part, so that a run can be repeated from one seed.
public struct Environment: Sendable {
    public var fileSystem: any FileSystem
    public var clock: any WallClock
    public var random: any RandomSource
    public var host: HostIdentity

    public init(fileSystem: any FileSystem, clock: any WallClock, random: any RandomSource, host: HostIdentity) {
        self.fileSystem = fileSystem
        self.clock = clock
        self.random = random
        self.host = host
    }
}

/// The time of day.
///
/// Named so as not to collide with Swift's `Clock`, which cannot say what day it is.
public protocol WallClock: Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z. May jump in either direction.
    func now() -> UInt64
    /// Nanoseconds since some moment of this boot; never goes back.
    func monotonic() -> UInt64
}

/// A source of random 64-bit words.
public protocol RandomSource: Sendable {
    func next() -> UInt64
}

/// The machine and the boot a process runs in; a change of either tells a copied or interrupted store.
public struct HostIdentity: Sendable, Equatable {
    /// Identifies the installation (`/etc/machine-id`).
    public var machine: Digest128
    /// Identifies this boot of it (`/proc/sys/kernel/random/boot_id`).
    public var boot: Digest128

    public init(machine: Digest128, boot: Digest128) {
        self.machine = machine
        self.boot = boot
    }
}
