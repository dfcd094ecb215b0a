/// Which of the unsynced pieces a power cut leaves on the device.
///
/// Nothing orders unsynced pieces on a real device, so every subset is possible; these are the kinds that have broken programs
/// (Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014). A piece is one write, one change of a length, or one
/// change of a name, in the order in which they were made.
public enum UnsyncedSubset: Sendable, Hashable, CustomStringConvertible {
    /// Only what was synced.
    case none
    /// Everything, as if the power had stayed.
    case all
    /// The first `n` pieces.
    case prefix(Int)
    /// Everything but the piece at an index.
    case allBut(Int)
    /// Only the piece at an index.
    case only(Int)
    /// Names, but neither bytes nor lengths: a rename that came before the data.
    case names
    /// Names and lengths, with zeros where the bytes should be.
    case namesAndLengths
    /// Bytes and lengths under the old names.
    case contents
    /// Each name and length by the toss of a coin, each write sector by sector (512 bytes), so that writes are torn.
    case random(seed: UInt64)

    /// All kinds for `count` unsynced pieces, each once, and `seeds` random ones.
    ///
    /// Of kinds that name a piece at most `limit` are taken, spread evenly, so that a body with thousands of unsynced
    /// pieces does not take for ever.
    public static func every(of count: Int, seeds: Int = 4, limit: Int = 32) -> [UnsyncedSubset] {
        guard count > 0 else { return [.none] }
        var subsets: [UnsyncedSubset] = [.none, .all]
        if count > 1 {
            let step = max(1, (count + limit - 1) / max(1, limit))
            subsets += [.names, .namesAndLengths, .contents]
            subsets += stride(from: 1, to: count, by: step).map(UnsyncedSubset.prefix)
            subsets += stride(from: 0, to: count, by: step).map(UnsyncedSubset.allBut)
            subsets += stride(from: 0, to: count, by: step).map(UnsyncedSubset.only)
        }
        return subsets + (0..<UInt64(max(0, seeds))).map { .random(seed: $0) }
    }

    public var description: String {
        switch self {
        case .none: "none of the unsynced pieces"
        case .all: "all unsynced pieces"
        case .prefix(let count): "the first \(count) unsynced pieces"
        case .allBut(let index): "all unsynced pieces but \(index)"
        case .only(let index): "only the unsynced piece \(index)"
        case .names: "only the unsynced names"
        case .namesAndLengths: "only the unsynced names and lengths"
        case .contents: "only the unsynced contents"
        case .random(let seed): "random sectors and names with seed \(seed)"
        }
    }
}
