/// One post at a time, each a durable transaction of the log.
struct LogSingle: Work {
    static let name = "log-single"
    static let unit = "commits"
    static let count: UInt64 = 20_000

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.batch = 1
        return try LogCommits().run(options)
    }
}
