/// What one run is asked to do: the options of the peers' drivers.
struct RunOptions: Sendable {
    var contestant: String
    var work: String
    var directory: String
    var count: UInt64
    var batch: UInt64 = 1000
    var tasks: UInt64 = 64
    var size: UInt64 = 15_728_640
    var workload = Workload()
    /// Said in the result: every setting that matters to speed or safety.
    var settings = ""

    /// The settings with the kind of data.
    mutating func describe(_ text: String) {
        let content = workload.isIncompressible ? "incompressible" : "word"
        settings = "\(text); \(content) content, \(workload.isSequential ? "sequential" : "random") keys"
    }
}
