/// What the process tells its caller when it ends.
package enum ExitCode: Int32, Sendable {
    /// All that was asked was done.
    case done = 0
    /// Something went wrong on the way; the reason is on standard error.
    case failed = 1
    /// The command line makes no sense (`EX_USAGE` of `sysexits.h`); nothing was done.
    case usage = 64
}
