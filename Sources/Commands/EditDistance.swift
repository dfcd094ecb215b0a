/// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn one name into another.
package enum EditDistance {
    /// The optimal string alignment distance (Damerau-Levenshtein without editing a swapped pair again).
    package static func between(_ a: String, _ b: String) -> Int {
        let a = Array(a.utf8)
        let b = Array(b.utf8)
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }

    /// The candidate nearest to `name`, if it is near enough to be meant: at most a third of its letters differ.
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
        let ranked = candidates.map { (distance: between(name, $0), name: $0) }
        guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
        return best.distance <= max(1, name.utf8.count / 3) ? best.name : nil
    }
}
