import Interchange
import Strandline

/// Prints objects, or figures over them.
struct FetchCommand: Command {
    let name = "fetch"
    let summary = "print objects, or figures over them"
    let usage = """
        usage: strandline fetch STORE ENTITY [OPTIONS]

        Prints the objects of an entity as a table, in the order of their ids unless told otherwise.

          --where PREDICATE    which ones, as NSPredicate writes it: "magnitude > 2.5 AND place CONTAINS[cd] 'alaska'"
          --sort KEYS          the order: time,-magnitude,place[cd]
          --limit N            at most so many
          --offset N           without the first N
          --properties NAMES   these alone, in this order: title,views; relationships to many must be named to be shown
          --ids                URIs alone
          --count              how many there are
          --group-by KEYS      one row per distinct combination of these properties: place,year
          --aggregate LIST     figures over each group, or over all: count,avg:magnitude,max:magnitude (sum, min too)
          --having PREDICATE   the groups meant, by keys and figures, these between backquotes: "`avg:magnitude` > 2.5"
          --explain            how it was answered instead: by an id, a key or a scan, blocks read and passed over, rows tested
          --at TOKEN           as the store was when its history was what the token covers
          --json               one array of objects with the properties as keys, and the URI as _id; of texts with --ids;
                               {"count":N} with --count; one object with --explain
        """

    /// What is asked for, read from the command line.
    private struct Request {
        var filter = Filter.always(true)
        var sort: [SortKey] = []
        var limit: Int?
        var offset = 0
        var properties: [String]?
        var keys: [PropertyPath]?
        var aggregates: [Aggregate]?
        var showsIDs = false
        var counts = false
        var having: Filter?
        /// What was read as predicates.
        var predicates: [String] = []
        var explains = false
        var json = false

        var isGrouped: Bool { keys != nil || aggregates != nil }

        init(_ arguments: inout ArgumentReader) throws(CommandError) {
            let text = try arguments.option("--where")
            filter = try TextArguments.filter(text) ?? .always(true)
            sort = try TextArguments.sort(try arguments.option("--sort")) ?? []
            limit = try arguments.option("--limit", as: UInt64.self).map { Int(clamping: $0) }
            offset = Int(clamping: try arguments.option("--offset", as: UInt64.self) ?? 0)
            properties = TextArguments.names(try arguments.option("--properties"))
            keys = try TextArguments.keys(try arguments.option("--group-by"))
            aggregates = try TextArguments.aggregates(try arguments.option("--aggregate"))
            showsIDs = try arguments.flag("--ids")
            counts = try arguments.flag("--count")
            let groups = try arguments.option("--having")
            do { having = try TextArguments.filter(groups, "--having") } catch {
                // A colon parts a function from its property, and predicates have none.
                guard groups?.contains(":") ?? false, groups?.contains("`") == false else { throw error }
                throw .malformed("\(error.description)\na figure stands between backquotes: '`avg:magnitude` > 2.5'")
            }
            predicates = [text, groups].compactMap(\.self)
            explains = try arguments.flag("--explain")
            json = try arguments.flag("--json")
            let modes = [
                (showsIDs, "--ids"), (counts, "--count"), (isGrouped, "--group-by"), (properties != nil, "--properties"),
                (explains, "--explain"),
            ]
            .filter(\.0).map(\.1)
            if modes.count > 1 { throw .usage("\(modes[0]) and \(modes[1]) exclude each other") }
            if having != nil, !isGrouped { throw .usage("--having needs --group-by or --aggregate") }
            if !sort.isEmpty, counts || isGrouped { throw .usage("--sort has no meaning with \(modes[0])") }
        }
    }

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let request = try Request(&arguments)
        let token = try TextArguments.token(try arguments.option("--at"), "--at")
        let path = try arguments.positional("STORE")
        let entity = try arguments.positional("ENTITY")
        try arguments.finish()
        try await StoreAccess.reading(path, terminal, predicates: request.predicates) { store in
            let snapshot = try await store.snapshot(optionallyAt: token)
            let catalog = SchemaCatalog(snapshot.schema())
            let declaration = try catalog.entity(entity)
            if request.explains {
                try explain(request, declaration, snapshot, terminal)
            } else if request.counts {
                try count(request, declaration, snapshot, terminal)
            } else if request.isGrouped {
                try groups(request, declaration, snapshot, catalog, terminal)
            } else {
                try objects(request, declaration, snapshot, catalog, terminal)
            }
        }
    }

    private func count(_ request: Request, _ entity: EntityDeclaration, _ snapshot: Snapshot, _ terminal: Terminal) throws {
        let all = try snapshot.count(of: entity.name, where: request.filter)
        let count = min(max(0, all - request.offset), request.limit ?? .max)
        if request.json {
            terminal.json(.object([JSONMember("count", .integer(Int64(count)))]))
        } else {
            terminal.data(String(count))
        }
    }

    private func explain(_ request: Request, _ entity: EntityDeclaration, _ snapshot: Snapshot, _ terminal: Terminal) throws {
        let explanation = try snapshot.explain(
            of: entity.name, where: request.filter, sortedBy: request.sort, limit: request.limit, offset: request.offset)
        if request.json {
            terminal.json(explanation.json)
        } else {
            for line in explanation.description.split(separator: "\n") { terminal.data(String(line)) }
        }
    }

    private func objects(
        _ request: Request, _ entity: EntityDeclaration, _ snapshot: Snapshot, _ catalog: SchemaCatalog, _ terminal: Terminal
    ) throws {
        let shown = try ShownObject(entity, properties: request.properties, in: catalog, of: snapshot)
        let rows = try snapshot.rows(
            of: entity.name, where: request.filter, sortedBy: request.sort, limit: request.limit, offset: request.offset,
            properties: request.showsIDs ? [] : request.properties)
        if request.showsIDs {
            if request.json { return try terminal.jsonArray(rows.lazy.map { .string(shown.uri($0)) }) }
            for row in rows { terminal.data(shown.uri(row)) }
            return
        }
        if request.json { return try terminal.jsonArray(rows) { try shown.json($0) } }
        var table = TextTable(["_id"] + shown.names, maximum: terminal.maximumCell)
        for row in rows { table.append([.reference(uri: shown.uri(row))] + (try shown.values(row))) }
        table.forEachLine { terminal.data($0) }
    }

    private func groups(
        _ request: Request, _ entity: EntityDeclaration, _ snapshot: Snapshot, _ catalog: SchemaCatalog, _ terminal: Terminal
    ) throws {
        let keys = request.keys ?? []
        let aggregates = request.aggregates ?? [.count]
        let all = try snapshot.groups(of: entity.name, where: request.filter, by: keys, aggregates, having: request.having)
        let groups = all.dropFirst(request.offset).prefix(request.limit ?? .max)
        let header = keys.map(\.description) + aggregates.map(\.description)
        let paths = keys + aggregates.map { $0.path ?? .object }
        let shown = groups.lazy.map { group in
            zip(paths, group.keys + group.values).map { path, value in catalog.shown(value, at: path, of: entity) }
        }
        if request.json {
            return try terminal.jsonArray(
                shown.map { cells in .object(zip(header, cells).map { JSONMember($0, $1.json) }) })
        }
        var table = TextTable(header, maximum: terminal.maximumCell)
        for cells in shown { table.append(cells) }
        table.forEachLine { terminal.data($0) }
    }
}

extension FetchExplanation {
    /// For programs.
    fileprivate var json: JSONValue {
        let numbers = [
            ("found", found), ("blocksRead", blocksRead), ("blocksSkipped", blocksSkipped), ("columnsRead", columnsRead),
            ("rowsInBlocks", rowsInBlocks), ("rowsInMemory", rowsInMemory), ("rowsIrregular", rowsIrregular),
        ]
        let texts = [("entity", entity), ("access", accessName), ("filter", filter.description)]
        return .object(
            texts.map { JSONMember($0, .string($1)) } + [JSONMember("columns", .array(columns.map { .string($0) }))]
                + numbers.map { JSONMember($0, .integer(Int64($1))) })
    }

    private var accessName: String {
        switch access {
        case .scan: "scan"
        case .id: "id"
        case .uniqueKey: "uniqueKey"
        case .reference: "reference"
        }
    }
}

extension Terminal {
    /// Cells are cut where a person watches, and whole where a program reads.
    var maximumCell: Int? { isWatched ? 80 : nil }
}

extension Store {
    /// The state at a token, or now.
    func snapshot(optionallyAt token: HistoryToken?) async throws -> Snapshot {
        if let token { return try await snapshot(at: token) }
        return try snapshot()
    }
}

extension SchemaCatalog {
    /// A value found at the end of a path, which may lead through other entities.
    fileprivate func shown(_ value: Value, at path: PropertyPath, of entity: EntityDeclaration) -> ShownValue {
        guard case .reference(let object) = value else { return .value(value) }
        var entity = entity
        for name in path.names {
            let field = entity.fields.first { WireName($0.property.name) == WireName(name) && $0.relationship != nil }
            guard let target = field?.relationship?.target, let next = self[target] else {
                return .reference(uri: object.description)
            }
            entity = next
        }
        return .reference(uri: object.uri(entity: entity.name))
    }
}
