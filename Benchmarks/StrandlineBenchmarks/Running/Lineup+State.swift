// The lines of what is asked of a store's state, and of what keeping it costs.

extension Lineup {
    static let state: [Line] = reads + changes + beside + openings + keeping + syncing

    private static let reads: [Line] = [
        Line(
            id: "point", title: "Point read into a struct, warm", unit: "reads", figures: [.perSecond], count: 1_000_000,
            tiny: 500,
            contestants: [
                .ours("store", StorePoint.self), .peer("lmdb", "point", isReference: true), .peer("rocksdb", "point"),
                .peer("sqlite", "point"), .peer("sqlite", "point", label: "sqlite, integer key", ["--sequential"]),
            ],
            goals: [Goal(contestant: "store", figure: .perSecond, measure: .atLeast(1_000_000))],
            remark: "Ours by the object's id, the peers by a unique random key. Ours owns its bytes, the peers' borrow them."),
        Line(
            id: "count", title: "Count by predicate, a new constant each time", unit: "queries",
            figures: [.medianMilliseconds, .maxMilliseconds], count: 1_000_000, tiny: 500,
            contestants: [.ours("store", StoreCount.self), .peer("sqlite", "count", isReference: true)],
            goals: [Goal(contestant: "store", figure: .medianMilliseconds, measure: .ratio(to: "sqlite", 50))],
            remark: "Over a property without an index, in no order. Nothing of an answer is kept for the next."),
        Line(
            id: "group", title: "Average by group, a new constant each time", unit: "queries",
            figures: [.medianMilliseconds, .maxMilliseconds], count: 1_000_000, tiny: 500,
            contestants: [.ours("store", StoreGroups.self), .peer("sqlite", "group", isReference: true)],
            goals: [Goal(contestant: "store", figure: .medianMilliseconds, measure: .ratio(to: "sqlite", 50))],
            remark: "Average views by title, up to 65,536 titles, of over nine tenths of the posts, selected by a predicate."),
        Line(
            id: "fetch", title: "All rows into structs, warm", unit: "posts", figures: [.perSecond], count: 1_000_000,
            tiny: 500,
            contestants: [
                .ours("store", StoreFetch.self), .peer("sqlite", "replay", label: "sqlite, C scan", isReference: true),
            ],
            goals: [Goal(contestant: "store", figure: .perSecond, measure: .atLeast(1_000_000 / 0.15))],
            remark: "The goal is 0.15 s for a million. SQLite's borrow the bytes and are let go at once; ours are all kept."),
    ]

    private static let changes: [Line] = [
        Line(
            id: "update", title: "Batch update of half the posts by predicate, durable", unit: "posts", figures: [.perSecond],
            count: 1_000_000, tiny: 500,
            contestants: [
                .ours("store", StoreUpdate.self), .ours("store, by closure", StoreUpdateClosure.self),
                .peer("sqlite", "update", isReference: true),
                .peer("sqlite", "update", label: "sqlite + history triggers", ["--history-triggers"]),
            ],
            goals: [
                Goal(contestant: "store", figure: .perSecond, measure: .ratio(to: "sqlite", 1)),
                Goal(contestant: "store", figure: .perSecond, measure: .ratio(to: "sqlite + history triggers", 5)),
            ],
            remark: "One property of each, in one transaction. Checkpoints, and closing of ours, are inside the time."),
        Line(
            id: "remote", title: "Random remote updates into ten times as many objects, cold", unit: "changes",
            figures: [.perSecond], count: 1_000_000, tiny: 200,
            contestants: [
                .ours("store", StoreRemote.self),
                .peer("sqlite", "remote", label: "sqlite changeset apply", isReference: true),
                .peer("sqlite", "remote", label: "sqlite, one transaction", ["--one-transaction"]),
            ],
            goals: [
                Goal(contestant: "store", figure: .perSecond, measure: .ratio(to: "sqlite changeset apply", 3)),
                Goal(contestant: "store", figure: .perSecond, measure: .ratio(to: "sqlite, one transaction", 3)),
            ], rowsPerOperation: 10, mostRounds: 3,
            remark: "At scale 1 a million updates, 1,000 to a transaction, into 10 million objects, all out of the page cache. "
                + "Ours ends when a count of the changed ones was answered and the store closed."),
    ]

    private static let beside: [Line] = [
        Line(
            id: "beside", title: "Bulk insert beside ten processes that read the store", unit: "posts",
            figures: [.perSecond, .p50Microseconds], count: 200_000, tiny: 2_000,
            contestants: [
                .ours("beside readers", StoreBeside<ReadingCompanion>.self),
                .ours("beside burners", StoreBeside<BurningCompanion>.self, isReference: true),
            ],
            goals: [Goal(contestant: "beside readers", figure: .perSecond, measure: .ratio(to: "beside burners", 0.8))],
            remark: "Each reader counts and fetches as of one moment, and ends with an error if it sees half a batch. "
                + "The burners take the same processor time without the store.")
    ]

    private static let openingPeers: [Contestant] = [
        .ours("store", StoreOpening.self), .peer("rocksdb", "open", isReference: true), .peer("lmdb", "open"),
        .peer("sqlite", "open"),
    ]

    private static let openings: [Line] = [
        Line(
            id: "open", title: "A store opened after a clean close, first object read", unit: "openings",
            figures: [.medianMilliseconds, .maxMilliseconds, .openMilliseconds], count: 1_000_000, tiny: 500,
            contestants: openingPeers,
            goals: [Goal(contestant: "store", figure: .medianMilliseconds, measure: .atMost(5))],
            remark: "Five openings in a process, the page cache warm. What the first read took is said in the settings below."),
        Line(
            id: "open-killed", title: "A store opened after SIGKILL of its writer, first object read", unit: "openings",
            figures: [.maxMilliseconds, .medianMilliseconds, .openMilliseconds], count: 1_000_000, tiny: 500,
            options: ["--killed"], contestants: openingPeers,
            goals: [Goal(contestant: "store", figure: .maxMilliseconds, measure: .atMost(50))],
            remark: "A writer of batches of 1,000 is killed after 60, 120 … 300 ms; what it had acknowledged must be there."),
    ]

    private static let syncing: [Line] = [
        Line(
            id: "sync", title: "An empty replica brought up to a full one over a stream", unit: "posts",
            figures: [.perSecond, .peakAnonMiB], count: 1_000_000, tiny: 500,
            contestants: [
                .ours("unix", CatchUpUnix.self), .ours("unix, until fetched", CatchUpFolded.self),
                .ours("tls", CatchUpTLS.self), .ours("unix, lone commits", CatchUpLone.self, share: 0.1),
            ],
            goals: [
                Goal(contestant: "unix", figure: .perSecond, measure: .atLeast(600_000)),
                Goal(contestant: "tls", figure: .perSecond, measure: .atLeast(600_000)),
            ], mostRounds: 3, remark: "Both replicas are in one process, whose memory is given.")
    ]

    private static let keeping: [Line] = [
        Line(
            id: "rebuild", title: "The state rebuilt from the log", unit: "posts", figures: [.perSecond, .peakAnonMiB],
            count: 1_000_000, tiny: 500, contestants: [.ours("store", StoreRebuild.self)],
            goals: [Goal(contestant: "store", figure: .perSecond, measure: .atLeast(1_000_000))]),
        memory("Peak memory of posts inserted from a closure, and scanned", id: "memory", count: 1_000_000, isLong: false),
        memory("The same, ten times as many", id: "memory-tenfold", count: 10_000_000, isLong: true),
        Line(
            id: "growth", title: "Cost as a store grows: inserting, reading by id, opening, memory", unit: "posts",
            figures: [.perSecond, .readsPerSecond, .openMilliseconds, .peakAnonMiB], count: 1_000_000, tiny: 500,
            contestants: [
                .ours("a hundredth", StoreGrowth.self, share: 0.01), .ours("a tenth", StoreGrowth.self, share: 0.1),
                .ours("the size", StoreGrowth.self), .ours("tenfold", StoreGrowth.self, share: 10, isLong: true),
            ], mostRounds: 3,
            remark: "Ratios are of the smallest store to each: 1.00x where size costs nothing."),
    ]

    private static func memory(_ title: String, id: String, count: UInt64, isLong: Bool) -> Line {
        Line(
            id: id, title: title, unit: "posts", figures: [.peakAnonMiB, .perSecond], count: count, tiny: 500,
            contestants: [.ours("store, streaming insert", StoreFilling.self), .ours("store, scanned", StoreScan.self)],
            goals: [
                Goal(contestant: "store, streaming insert", figure: .peakAnonMiB, measure: .atMost(100)),
                Goal(contestant: "store, scanned", figure: .peakAnonMiB, measure: .atMost(100)),
            ], isLong: isLong, mostRounds: isLong ? 1 : .max,
            remark: "RssAnon + RssShmem; making the posts is inside the time. The scan holds the ids of all objects.")
    }
}
