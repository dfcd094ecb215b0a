import Interchange

/// What a command did, in numbers: `3 updated, 1 unchanged`, or `{"updated":3,"unchanged":1}`.
struct WorkSummary {
    private let counts: [(name: String, count: Int)]

    init(_ counts: KeyValuePairs<String, Int>) { self.counts = counts.map { ($0.key, $0.value) } }

    func print(on terminal: Terminal, asJSON: Bool) {
        if asJSON {
            terminal.json(.object(counts.map { JSONMember($0.name, .integer(Int64($0.count))) }))
        } else {
            terminal.data(counts.map { "\(ProgressLine.grouped(UInt64($0.count))) \($0.name)" }.joined(separator: ", "))
        }
    }
}
