import EventLog
import Simulation
import Storage
import Testing

/// What a damaged stage file says of itself: which file it is, and what to do.
@Suite struct StageReaderTests {
    @Test func everyDamageSaysWhatToDo() throws {
        let (disk, script) = try LogScript.initial()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        for _ in 0..<2 { try script.commit([[6000, 6000, 6000, 5000]], to: log) }
        let paths = try disk.list(LogScript.path + "/staged").map { "\(LogScript.path)/staged/\($0)" }
        var transactions: [StoredTransaction] = []
        var reader = try LogReader(log)
        while let transaction = try reader.next() {
            if case .staged = transaction.content { transactions.append(transaction) }
        }
        try #require(paths.count == 2 && transactions.count == 2)
        let contents = try paths.map { try disk.readWhole($0, limit: 1 << 20) }
        var flipped = contents
        for index in flipped.indices { flipped[index][5000] ^= 1 }
        var headless = contents
        for index in headless.indices { headless[index][100] ^= 1 }
        let damages: [[[UInt8]]] = [
            contents.map { $0 + [0] }, contents.map { Array($0.dropLast()) }, contents.map { Array($0.prefix(100)) }, flipped,
            headless, [contents[1], contents[0]],
        ]
        for (number, damage) in damages.enumerated() {
            for (path, bytes) in zip(paths, damage) { try disk.replace(path, with: bytes) }
            for transaction in transactions {
                let error = #expect(throws: LogError.self) { try log.forEachPart(of: transaction) { _ in } }
                #expect(error?.code == .corrupt && paths.contains(error?.path ?? ""), "damage \(number)")
                let message = error?.message ?? ""
                #expect(message.contains("backup") && message.contains("replica"), "damage \(number): \(message)")
            }
        }
        for (path, bytes) in zip(paths, contents) { try disk.replace(path, with: bytes) }
        try script.check(log)
        try log.close()
    }
}
