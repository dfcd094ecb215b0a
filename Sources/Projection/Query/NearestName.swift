/// Finds what someone who mistyped a name may have meant.
package enum NearestName {
    /// The candidate that takes the fewest single-character edits (swaps of neighbours included), case left aside; the first of
    /// equals.
    ///
    /// Nil when more than a third of the characters, and more than one, would change.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let limit = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased())
            guard abs(letters.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, letters)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Optimal string alignment distance.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for row in 0..<a.count {
            var next = [row + 1]
            for column in 0..<b.count {
                var cost = min(last[column] + (a[row] == b[column] ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                next.append(cost)
            }
            beforeLast = last
            last = next
        }
        return last[b.count]
    }
}
