/// The lines of the table.
enum Lineup {
    static let lines: [Line] = bulk + commits + state + [blobs, replay] + memory

    private static let bulkRemark =
        "The event log keeps the whole history, checksummed and chained, and has no index on the key; the others have one."

    private static let bulk: [Line] = [
        Line(
            id: "bulk", title: "Bulk insert, batches of 1,000, each durable; random keys", unit: "posts",
            figures: [.perSecond], count: 1_000_000, tiny: 3000,
            contestants: [
                .ours("event log", LogCommits.self), .peer("rocksdb", "bulk", isReference: true), .peer("leveldb", "bulk"),
                .peer("lmdb", "bulk"), .peer("sqlite", "bulk"),
                .peer("sqlite", "bulk", label: "sqlite, checkpoints of 8,000", ["--auto-checkpoint", "8000"]),
                .peer("sqlite", "bulk", label: "sqlite + history triggers", ["--history-triggers"], share: 0.5),
                .peer("bare", "bulk", label: "bare append"),
            ],
            goals: [Goal(contestant: "event log", figure: .perSecond, measure: .ratio(to: "rocksdb", 3))], remark: bulkRemark),
        Line(
            id: "bulk-incompressible", title: "The same, content that does not compress", unit: "posts", figures: [.perSecond],
            count: 1_000_000, tiny: 3000, options: ["--incompressible"],
            contestants: [
                .ours("event log", LogCommits.self), .peer("rocksdb", "bulk", isReference: true),
                .peer("bare", "bulk", label: "bare append"),
            ],
            goals: [Goal(contestant: "event log", figure: .perSecond, measure: .ratio(to: "rocksdb", 3))], remark: bulkRemark),
        Line(
            id: "bulk-sequential", title: "The same, ascending keys", unit: "posts", figures: [.perSecond], count: 1_000_000,
            tiny: 3000, options: ["--sequential"],
            contestants: [
                .ours("event log", LogCommits.self), .peer("rocksdb", "bulk", isReference: true), .peer("leveldb", "bulk"),
                .peer("lmdb", "bulk"), .peer("sqlite", "bulk"),
                .peer("sqlite", "bulk", label: "sqlite + session", ["--session"]),
            ],
            goals: [Goal(contestant: "event log", figure: .perSecond, measure: .ratio(to: "rocksdb", 3))], remark: bulkRemark),
        Line(
            id: "bulk-store", title: "The same through the public interface; random keys", unit: "posts", figures: [.perSecond],
            count: 1_000_000, tiny: 1000,
            contestants: [
                .ours("store", StoreCommits<KeyedPost>.self), .ours("store without a unique key", StoreCommits<PlainPost>.self),
                .peer("rocksdb", "bulk", isReference: true), .peer("sqlite", "bulk"),
            ],
            goals: [Goal(contestant: "store", figure: .perSecond, measure: .ratio(to: "rocksdb", 3))],
            remark: "Closing, which writes the rest of the state to runs, is inside the time, as are the peers' checkpoints."),
    ]

    private static let commits: [Line] = [
        Line(
            id: "single", title: "One commit at a time, durable", unit: "commits", figures: [.perSecond, .p50Microseconds],
            count: 20_000, tiny: 100,
            contestants: [
                .peer("bare", "single", label: "bare 4 KiB fdatasync", isReference: true), .ours("event log", LogSingle.self),
                .ours("store", StoreSingle.self), .peer("rocksdb", "single"), .peer("leveldb", "single"),
                .peer("lmdb", "single"), .peer("sqlite", "single"),
            ],
            goals: [Goal(contestant: "store", figure: .perSecond, measure: .ratio(to: "bare 4 KiB fdatasync", 0.85))]),
        Line(
            id: "concurrent", title: "64 tasks committing at once, durable", unit: "commits",
            figures: [.perSecond, .p50Microseconds], count: 200_000, tiny: 600,
            contestants: [
                .ours("store", StoreConcurrent.self), .peer("rocksdb", "concurrent", ["--pipelined"], isReference: true),
                .peer("leveldb", "concurrent"), .peer("lmdb", "concurrent", share: 0.1),
                .peer("sqlite", "concurrent", label: "sqlite, funnelled", ["--funnel"], share: 0.1),
                .peer("bare", "concurrent", label: "bare 4 KiB fdatasync", share: 0.5),
            ], goals: [Goal(contestant: "store", figure: .perSecond, measure: .atLeast(200_000))], isGrouped: true,
            remark: "The peers use 64 threads; only RocksDB, LevelDB and ours share a flush between commits."),
        Line(
            id: "processes", title: "4 processes of 16 tasks, one store, durable", unit: "commits",
            figures: [.perSecond, .p50Microseconds], count: 40_000, tiny: 200,
            contestants: [.ours("store", StoreProcesses.self)], isGrouped: true,
            remark: "Latencies and memory are those of the worst process. No peer has a driver for several processes."),
    ]

    private static let blobs = Line(
        id: "blob", title: "Blobs of 15 MiB, each durable; then read back warm", unit: "blobs",
        figures: [.ingestMBPerSecond, .readMBPerSecond], count: 660, tiny: 2,
        contestants: [
            .peer("bare", "blob", label: "bare file + fdatasync", isReference: true), .ours("blob store", BlobIngest.self),
            .ours("store", StoreBlobs.self), .peer("rocksdb", "blob", share: 0.25), .peer("sqlite", "blob", share: 0.25),
        ],
        goals: [
            Goal(contestant: "store", figure: .ingestMBPerSecond, measure: .ratio(to: "bare file + fdatasync", 0.85)),
            Goal(contestant: "store", figure: .readMBPerSecond, measure: .atLeast(3000)),
        ],
        remark: "Ours are hashed with SHA-256 on the way in. Every reader hashes what it reads with XXH3 as proof.")

    private static let replay = Line(
        id: "replay", title: "Every post read back, warm", unit: "posts", figures: [.perSecond], count: 1_000_000,
        tiny: 3000,
        contestants: [
            .ours("event log, columns", LogReplay.self), .ours("event log, changes", LogChanges.self),
            .peer("rocksdb", "replay", isReference: true), .peer("leveldb", "replay"), .peer("lmdb", "replay"),
            .peer("sqlite", "replay"), .peer("bare", "replay"),
        ], goals: [Goal(contestant: "event log, columns", figure: .perSecond, measure: .atLeast(1_000_000))],
        remark: "The goal is that of rebuilding the projection, of which reading is one half; see the line of the whole.")

    private static let memory: [Line] = [
        Line(
            id: "large", title: "One transaction of a million changes: peak memory", unit: "changes",
            figures: [.peakAnonMiB, .perSecond], count: 1_000_000, tiny: 60_000,
            contestants: [.ours("event log", LargeTransaction.self)],
            goals: [Goal(contestant: "event log", figure: .peakAnonMiB, measure: .atMost(200))],
            isScaled: false, remark: "RssAnon + RssShmem, reading back included; making the posts is inside the time."),
        Line(
            id: "large-blob", title: "A blob of 2 GiB in and out: peak memory", unit: "MiB",
            figures: [.peakAnonMiB, .perSecond],
            count: 2048, tiny: 16, contestants: [.ours("blob store", LargeBlob.self)],
            goals: [Goal(contestant: "blob store", figure: .peakAnonMiB, measure: .atMost(200))], isScaled: false, isLong: true,
            remark: "RssAnon + RssShmem; making the bytes, writing, reading and verifying are all inside the time."),
    ]
}
