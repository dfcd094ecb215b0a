import Storage

/// Shares blocks between the caller's thread and another one.
package enum BlockThreads {
    /// Fewer blocks than this are not worth a second thread.
    package static let leastBlocks = 64

    /// What `body` gives for the first and for the second half of the blocks; of as many as one thread is enough for, for all.
    ///
    /// - Throws: what `body` throws for the first half or else for the second.
    package static func parts<Block: Sendable, Part: Sendable>(
        of blocks: [Block], mayUseThreads: Bool, _ body: @escaping @Sendable (ArraySlice<Block>) throws -> Part
    ) throws -> [Part] {
        guard mayUseThreads, blocks.count >= leastBlocks else { return [try body(blocks[...])] }
        let (first, second) = (blocks[..<(blocks.count / 2)], blocks[(blocks.count / 2)...])
        let other = Errand { try body(second) }
        let own = Result { try body(first) }
        // Also when this half failed: what the other one reads may be gone with the caller.
        let others = Result { try other.result() }
        return [try own.get(), try others.get()]
    }

    /// Runs `body` for the first and for the second half of the blocks, at once where there are many.
    package static func run<Block: Sendable>(over blocks: [Block], _ body: @escaping @Sendable (ArraySlice<Block>) -> Void) {
        // Without an error of its own, parts() throws none.
        _ = try? parts(of: blocks, mayUseThreads: true) { body($0) }
    }
}
