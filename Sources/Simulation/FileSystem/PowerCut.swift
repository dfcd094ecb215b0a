/// One outcome of a power cut: when it came, and what it left.
///
/// Prints as a sentence for a failed test.
public struct PowerCut: Sendable, Equatable, CustomStringConvertible {
    /// The change before which the power was cut; nil after the last one.
    public var change: Int?
    public var subset: UnsyncedSubset

    public var description: String {
        "power cut \(change.map { "before change \($0)" } ?? "after the last change"), keeping \(subset)"
    }
}

/// Runs `body` once for every change it makes, with the power cut before that change, and once to its end; after each run gives
/// `verify` every kind of image the cut could leave.
///
/// `body` must do the same each time, and starts with a copy of `initial`. It is expected to fail by the power cut, and may let
/// the error pass. State that it shares with `verify`, such as what it was told is durable, it must set up afresh.
///
/// - Parameters:
///   - seeds: How many torn images are tried per cut.
///   - limit: See ``UnsyncedSubset/every(of:seeds:limit:)``.
/// - Returns: How many images were verified.
/// - Throws: A ``SimulationFailure`` that names the cut.
@discardableResult
public func forEachPowerCut(
    from initial: SimulatedFileSystem = SimulatedFileSystem(), seeds: Int = 4, limit: Int = 32,
    body: (SimulatedFileSystem) throws -> Void, verify: (SimulatedFileSystem, PowerCut) throws -> Void
) throws -> Int {
    var verified = 0
    for change in 0... {
        let disk = initial.clone(sameIdentity: true)
        disk.cutPower(at: change)
        do {
            try body(disk)
        } catch  where disk.isPowerCut {
        } catch {
            throw SimulationFailure("the body, before any power cut", error)
        }
        let isCut = disk.isPowerCut
        for cut in disk.cuts(at: isCut ? change : nil, seeds, limit) {
            try SimulationFailure.naming(cut) { try verify(disk.crash(keeping: cut.subset), cut) }
            verified += 1
        }
        if !isCut { break }
    }
    return verified
}

/// As the synchronous form, for code that suspends.
///
/// Runs where the caller runs.
@discardableResult
public func forEachPowerCut(
    from initial: SimulatedFileSystem = SimulatedFileSystem(), seeds: Int = 4, limit: Int = 32,
    isolation: isolated (any Actor)? = #isolation, body: (SimulatedFileSystem) async throws -> Void,
    verify: (SimulatedFileSystem, PowerCut) async throws -> Void
) async throws -> Int {
    var verified = 0
    for change in 0... {
        let disk = initial.clone(sameIdentity: true)
        disk.cutPower(at: change)
        do {
            try await body(disk)
        } catch  where disk.isPowerCut {
        } catch {
            throw SimulationFailure("the body, before any power cut", error)
        }
        let isCut = disk.isPowerCut
        for cut in disk.cuts(at: isCut ? change : nil, seeds, limit) {
            do { try await verify(disk.crash(keeping: cut.subset), cut) } catch { throw SimulationFailure(cut, error) }
            verified += 1
        }
        if !isCut { break }
    }
    return verified
}

extension SimulatedFileSystem {
    fileprivate func cuts(at change: Int?, _ seeds: Int, _ limit: Int) -> [PowerCut] {
        UnsyncedSubset.every(of: unsyncedCount, seeds: seeds, limit: limit).map { PowerCut(change: change, subset: $0) }
    }
}
