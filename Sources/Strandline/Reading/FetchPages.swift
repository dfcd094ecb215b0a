import EventLog
import Projection

/// What a request selects, read a page at a time: memory holds the ids of all, and the objects of one page.
///
/// ```swift
/// for try await page in try store.pages(of: Post.all.sorted(by: \.title), size: 100) { show(page) }
/// ```
///
/// All pages are of one moment, whatever is written meanwhile. A list that shows some rows at a time asks for ``page(_:)``s.
public struct FetchPages<Root: Entity>: Sendable {
    /// At most how many objects a page has.
    public let size: Int

    private let snapshot: Snapshot
    private let codec: TypedCodec<Root>
    private let blocks: [RunBlock]
    private let findings: ScanFindings

    init(_ found: FoundObjects, of snapshot: Snapshot, _ codec: TypedCodec<Root>, size: Int) {
        self.size = size
        self.snapshot = snapshot
        self.codec = codec
        blocks = found.source.blocks
        findings = found.findings
    }

    /// How many objects all pages have together.
    public var objectCount: Int { findings.ids.count }

    /// How many pages there are.
    public var count: Int { objectCount / size + (objectCount % size == 0 ? 0 : 1) }

    /// The ids of all objects, in order.
    public var ids: [EntityID<Root>] { findings.ids.map { EntityID($0) } }

    /// The objects of a page, by its number from 0.
    ///
    /// - Throws: `invalidOption` for a number of no page, `busy` when a part of the snapshot can no longer be read.
    public func page(_ number: Int) throws(StoreError) -> [Root] {
        guard number >= 0, number < count else {
            throw StoreError(.invalidOption, "there is no page \(number); there are \(count), numbered from 0")
        }
        let range = number * size..<Swift.min((number + 1) * size, objectCount)
        return try snapshot.answer {
            try $0.objects(of: findings, range, blocks, codec)
        } again: {
            try $0.get(findings.ids[range].map { EntityID($0) }, codec).compactMap { $0 }
        }
    }
}

extension FetchPages: AsyncSequence {
    public typealias Failure = StoreError

    /// Goes through the pages in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pages: FetchPages
        fileprivate var number = 0

        /// The next page; nil after the last one.
        public mutating func next() async throws -> [Root]? { try read() }

        /// The next page; nil after the last one.
        public mutating func next(isolation _: isolated (any Actor)?) async throws(StoreError) -> [Root]? { try read() }

        private mutating func read() throws(StoreError) -> [Root]? {
            guard number < pages.count else { return nil }
            defer { number += 1 }
            return try pages.page(number)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }
}

extension StateReader {
    /// Some of what was found in blocks, or beside them.
    fileprivate func objects<Root: Entity>(
        of findings: ScanFindings, _ range: Range<Int>, _ blocks: [RunBlock], _ codec: TypedCodec<Root>
    ) throws(StoreError) -> [Root] {
        let entity = WireName(codec.declaration.name)
        var (ids, positions, rows): ([ObjectID], [ScanPosition], [StateRow]) = ([], [], [])
        for place in range {
            let (id, position) = (findings.ids[place], findings.positions[place])
            if position.block != nil {
                positions.append(position)
            } else if let row = StateRow(id, in: box, likely: entity) {
                positions.append(ScanPosition(beside: rows.count))
                rows.append(row)
            } else {
                continue
            }
            ids.append(id)
        }
        return try objects(ScanFindings(ids: ids, positions: positions), in: ScanSource(blocks: blocks, rows: rows), codec)
    }
}

extension Snapshot {
    /// What a request selects, a page at a time.
    ///
    /// - Parameter size: at most how many objects a page has; at least 1.
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `invalidOption` for a size below 1, `busy`.
    public func pages<Root: Entity>(of request: FetchRequest<Root>, size: Int) throws -> FetchPages<Root> {
        guard size > 0 else { throw StoreError(.invalidOption, "a page of \(size) objects; give a size of at least 1") }
        let codec = try schemas.codec(Root.self)
        return FetchPages(try answer { try $0.find(request.description) }, of: self, codec, size: size)
    }
}

extension Store {
    /// What a request selects now, a page at a time.
    ///
    /// - Parameter size: at most how many objects a page has; at least 1.
    /// ```swift
    /// let pages = try store.pages(of: Post.all.sorted(by: \.title), size: 100)
    /// for number in 0..<pages.count { show(try pages.page(number)) }
    /// ```
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `invalidOption` for a size below 1.
    public func pages<Root: Entity>(of request: FetchRequest<Root>, size: Int) throws -> FetchPages<Root> {
        try snapshot().pages(of: request, size: size)
    }
}
