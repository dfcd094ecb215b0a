// Invariants
// * Texts are only ever added: a number once given stays that of its text. Numbers begin at 0 and have no gaps.
// * `order` is all numbers in the order of their texts, or is of fewer texts than there are and is made anew when it is asked for.
// * The lock guards all of `state`; it is held for no reading.

import Synchronization

/// The distinct texts that a property has in the runs of a store, numbered.
///
/// Most columns of text that objects are grouped by have few distinct texts for their rows. To look up each row's text in a table,
/// query after query, is most of what such a query would cost; so the table is kept, and beside each decoded block the numbers of
/// its texts, as a column store that codes texts by a dictionary has them. Nothing of an answer is in it.
package final class TextPool: Sendable {
    /// A text with what the register of keys asks of it.
    struct Text: Sendable {
        let text: String
        /// Whether no other text is equal to it; see ``KeyRegister/hasOneSpelling(_:)``.
        let isAlone: Bool
    }

    private struct State {
        var codes = TextCodes()
        var texts: [Text] = []
        var order: [UInt32] = []
        /// About how much memory it takes.
        var bytes = 0
        /// How many were numbered, repeated ones counted.
        var rows = 0
    }

    /// The number of a row that has no text.
    static let null = UInt32.max
    /// Tells it from others of the same store.
    let number: Int
    private let state = Mutex(State())

    package init(number: Int = 0) { self.number = number }

    /// About how much memory it takes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Whether so many of the rows had a text of their own that there is little use in numbers.
    var isDiverse: Bool { state.withLock { $0.texts.count > $0.rows / 2 } }

    var count: Int { state.withLock { $0.texts.count } }

    /// The number of each row's text, ``null`` for rows without one.
    package func codes(of rows: RowSelection, utf8: [UInt8], ends: [Int]) -> [UInt32] {
        var numbers = [UInt32](repeating: Self.null, count: rows.rowCount)
        state.withLock { state in
            // Taken out, so that neither is copied when it grows.
            var (codes, texts) = (state.codes, state.texts)
            state.codes = TextCodes()
            state.texts = []
            codes.codes(utf8: utf8, ends: ends, of: rows, into: &numbers) { text in
                texts.append(Text(text: text, isAlone: KeyRegister.hasOneSpelling(text)))
                state.bytes += Self.overhead + (text.utf8.count > ShortTextTable.longest ? 2 * text.utf8.count : 0)
                return UInt32(texts.count - 1)
            }
            state.codes = codes
            state.texts = texts
            state.rows += rows.count
        }
        return numbers
    }

    /// Of a text in the list, in the tables, and in the order.
    private static let overhead = 160

    /// Calls with the texts of some numbers.
    func eachText(of numbers: [UInt32], _ body: (UInt32, Text) -> Void) {
        state.withLock { state in
            for number in numbers { body(number, state.texts[Int(number)]) }
        }
    }

    /// All numbers, in the order that groups have by their texts.
    var order: [UInt32] {
        state.withLock { state in
            if state.order.count < state.texts.count { state.order = GroupOrder.order(of: state.texts.map(\.text)) }
            return state.order
        }
    }
}

/// The texts of the rows of a block, as numbers of a pool.
package struct PooledTexts: Sendable {
    let pool: TextPool
    /// One of each row; ``TextPool/null`` for one without a text.
    let codes: [UInt32]

    package init(pool: TextPool, codes: [UInt32]) {
        self.pool = pool
        self.codes = codes
    }
}
