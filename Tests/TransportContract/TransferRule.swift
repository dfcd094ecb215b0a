import Simulation
import Transports

/// Bytes arrive whole and in order, in both directions at once.
package enum TransferRule {
    static let size = 3_000_000

    static func check(_ adapter: ContractAdapter) throws {
        let pair = try adapter.connect()
        let (near, far) = try pair.ends(swapped: false)
        var transfer = Transfer(near, far, seed: 7)
        while !transfer.isDone { try transfer.step() }
        for side in 0...1 where transfer.received[side] != transfer.sent[1 - side] {
            let place = zip(transfer.received[side], transfer.sent[1 - side]).prefix { $0.0 == $0.1 }.count
            throw ContractBreach("\(adapter.description): bytes differ from \(place) on")
        }
    }

    /// Bytes that look random, from a seed.
    package static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = random.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// Two channels that send to each other in pieces of random size, driven by one thread.
private struct Transfer {
    let streams: [ByteStream]
    let sent: [[UInt8]]
    var received: [[UInt8]] = [[], []]
    private var done = [0, 0]
    private var random: SplitMix64

    init(_ near: ByteStream, _ far: ByteStream, seed: UInt64) {
        streams = [near, far]
        sent = [TransferRule.bytes(TransferRule.size, seed: seed), TransferRule.bytes(TransferRule.size, seed: seed + 1)]
        random = SplitMix64(seed: seed + 2)
    }

    var isDone: Bool { received[0].count >= sent[1].count && received[1].count >= sent[0].count }

    mutating func step() throws {
        var hasMoved = false
        for side in 0...1 {
            if done[side] < sent[side].count {
                let limit = Int.random(in: 1...70_000, using: &random)
                let count = try streams[side].writeNow(sent[side], from: done[side], limit: limit)
                done[side] += count
                hasMoved = hasMoved || count > 0
            }
            guard let bytes = try streams[side].readNow(Int.random(in: 1...70_000, using: &random)) else {
                throw ContractBreach("\(streams[side].channel.peer) ended, and nobody had closed it")
            }
            received[side] += bytes
            hasMoved = hasMoved || !bytes.isEmpty
        }
        if hasMoved { return }
        try ByteStream.wait(for: [(streams[0], done[0] < sent[0].count), (streams[1], done[1] < sent[1].count)])
    }
}
