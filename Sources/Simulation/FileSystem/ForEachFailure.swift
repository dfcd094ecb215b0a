import Storage

/// Runs `body` once for every call it makes to the file system, with that call failing, for each way to fail; after each run
/// the process is killed, and `verify` looks at what is there.
///
/// The ways are: one input/output error; all calls fail from then on; a full disk in the middle of a write; a sync that fails
/// and forgets what was unsynced, after which syncs report success. `body` must do the same each time until the failure. It
/// may throw or cope; what it may not do is lie, and that is for `verify` to find out: by what a fresh process sees, and by
/// ``SimulatedFileSystem/crash(keeping:)``.
///
/// - Returns: How many failures were tried.
/// - Throws: A ``SimulationFailure`` that names the fault.
@discardableResult
public func forEachFailure(
    from initial: SimulatedFileSystem = SimulatedFileSystem(), faults: [Fault] = Fault.everyWay,
    body: (SimulatedFileSystem) throws -> Void, verify: (SimulatedFileSystem, Fault) throws -> Void
) throws -> Int {
    var tried = 0
    for var fault in faults {
        for index in 0... {
            fault.index = index
            let disk = initial.clone(sameIdentity: true)
            disk.inject(fault)
            do {
                try body(disk)
            } catch  where disk.failureCount > 0 {
            } catch {
                throw SimulationFailure("the body, before any failure", error)
            }
            if disk.failureCount == 0 { break }
            disk.killProcess()
            try SimulationFailure.naming(fault) { try verify(disk, fault) }
            tried += 1
        }
    }
    return tried
}

/// As the synchronous form, for code that suspends.
///
/// Runs where the caller runs.
@discardableResult
public func forEachFailure(
    from initial: SimulatedFileSystem = SimulatedFileSystem(), faults: [Fault] = Fault.everyWay,
    isolation: isolated (any Actor)? = #isolation, body: (SimulatedFileSystem) async throws -> Void,
    verify: (SimulatedFileSystem, Fault) async throws -> Void
) async throws -> Int {
    var tried = 0
    for var fault in faults {
        for index in 0... {
            fault.index = index
            let disk = initial.clone(sameIdentity: true)
            disk.inject(fault)
            do {
                try await body(disk)
            } catch  where disk.failureCount > 0 {
            } catch {
                throw SimulationFailure("the body, before any failure", error)
            }
            if disk.failureCount == 0 { break }
            disk.killProcess()
            do { try await verify(disk, fault) } catch { throw SimulationFailure(fault, error) }
            tried += 1
        }
    }
    return tried
}

extension Fault {
    /// The ways to fail that ``forEachFailure(from:faults:body:verify:)`` tries, each at every index.
    public static var everyWay: [Fault] {
        [
            Fault(at: 0),
            Fault(at: 0, sticky: true),
            Fault(at: 0, of: .write, with: .diskFull, effect: .writesPrefix(1)),
            Fault(at: 0, of: .write, with: .diskFull, sticky: true, effect: .writesPrefix(700)),
            Fault(at: 0, of: [.sync, .syncDirectory], effect: .losesUnsynced),
        ]
    }
}
