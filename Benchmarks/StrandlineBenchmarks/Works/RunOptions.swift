/// What one run is asked to do: the options of the peers' drivers.
struct RunOptions: Sendable {
    var contestant: String
    var work: String
    var directory: String
    var count: UInt64
    /// Posts that are there before the work begins.
    var rows: UInt64 = 0
    var batch: UInt64 = 1000
    var tasks: UInt64 = 64
    var queries: UInt64 = 11
    /// What is opened was written by a process that was killed.
    var isKilled = false
    /// What is stored is read back and compared, after the time.
    var isChecked = true
    var size: UInt64 = 15_728_640
    var workload = Workload()
    /// Said in the result: every setting that matters to speed or safety.
    var settings = ""

    /// The settings with the kind of data.
    mutating func describe(_ text: String) {
        let content = workload.isIncompressible ? "incompressible" : "word"
        settings = "\(text); \(content) content, \(workload.isSequential ? "sequential" : "random") keys"
    }

    /// For another process that works on the same data.
    var arguments: [String] {
        var all = ["--count", "\(count)", "--rows", "\(rows)", "--batch", "\(batch)", "--seed", "\(workload.seed)"]
        if workload.isIncompressible { all.append("--incompressible") }
        if workload.isSequential { all.append("--sequential") }
        return all
    }
}
