import Generators
import SampleModel
import Strandline

/// Which generator `generate` runs, from its arguments.
enum GeneratorChoice {
    case alone(any Generator, usesSampleModel: Bool)
    /// In so many replicas.
    case conflicts(ConflictsGenerator, replicas: Int)

    private enum Kind: String, CaseIterable, ArgumentValue {
        case posts, large, sparse, edges, graph, churn, random, conflicts
    }

    /// Reads the options and the generator's name; the store's path comes before it.
    static func read(_ arguments: inout ArgumentReader) throws -> (path: String, choice: GeneratorChoice) {
        let count = try arguments.option("--count", as: UInt32.self)
        let posts = try arguments.option("--posts", as: UInt32.self)
        let attachments = try arguments.option("--attachments", as: UInt32.self)
        let size = try arguments.option("--image-size", as: ByteRangeArgument.self)?.range
        let photos = try arguments.option("--photos")
        let edges = try arguments.option("--edges", as: UInt32.self)
        let rounds = try arguments.option("--rounds", as: UInt32.self)
        let replicas = try arguments.option("--replicas", as: UInt32.self)
        let seed = try arguments.option("--seed", as: UInt64.self) ?? 1
        let path = try arguments.positional("STORE")
        let kind = try arguments.positional("a generator", as: Kind.self)
        func only(_ kinds: [Kind], _ options: String, _ isGiven: Bool) throws {
            guard isGiven, !kinds.contains(kind) else { return }
            throw CommandError.usage("\(options) for \(kinds.map(\.rawValue).joined(separator: " and "))")
        }
        try only(
            [.large], "--posts, --attachments, --image-size and --photos are",
            posts != nil || attachments != nil || size != nil || photos != nil)
        try only(Kind.allCases.filter { $0 != .large }, "--count is for all but large, which has --posts:", count != nil)
        try only([.graph], "--edges is", edges != nil)
        try only([.conflicts], "--rounds and --replicas are", rounds != nil || replicas != nil)
        func amount(_ usual: Int) -> Int { count.map(Int.init) ?? usual }
        let choice: GeneratorChoice
        switch kind {
        case .posts: choice = .alone(PostGenerator(count: amount(1_000), seed: seed), usesSampleModel: true)
        case .large:
            let large = LargeDataGenerator(
                posts: Int(posts ?? 60), attachments: Int(attachments ?? 11), imageSize: size ?? 10_000_000...20_000_000,
                seed: seed, photos: photos)
            choice = .alone(large, usesSampleModel: true)
        case .sparse: choice = .alone(SparseGenerator(count: amount(1_024), seed: seed), usesSampleModel: false)
        case .edges: choice = .alone(EdgeCaseGenerator(count: amount(500), seed: seed), usesSampleModel: false)
        case .graph:
            choice = .alone(GraphGenerator(count: amount(1_000), edges: Int(edges ?? 4), seed: seed), usesSampleModel: false)
        case .churn: choice = .alone(ChurnGenerator(steps: amount(5_000), seed: seed), usesSampleModel: false)
        case .random: choice = .alone(RandomGenerator(steps: amount(5_000), seed: seed), usesSampleModel: false)
        case .conflicts:
            let conflicts = ConflictsGenerator(objects: amount(100), rounds: Int(rounds ?? 3), seed: seed)
            choice = .conflicts(conflicts, replicas: max(1, min(100, Int(replicas ?? 3))))
        }
        return (path, choice)
    }
}
