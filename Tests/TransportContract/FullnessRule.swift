import Transports

/// A full channel takes nothing, and goes on once there is room.
enum FullnessRule {
    /// More than any transport may hold between two ends.
    static let limit = 256 << 20

    static func check(_ adapter: ContractAdapter) throws {
        for swapped in [false, true] {
            let pair = try adapter.connect()
            let (writer, reader) = try pair.ends(swapped: swapped)
            try greet(writer, reader)
            let chunk = TransferRule.bytes(100_000, seed: 3)
            var written = 0
            // What is written is the chunk over and over: so the reader knows what to expect.
            while written < limit {
                let count = try writer.writeNow(chunk, from: written % chunk.count)
                if count == 0 { break }
                written += count
            }
            guard written > 0, written < limit else {
                throw ContractBreach("\(adapter.description) took \(written) bytes that nobody read")
            }
            let sent = written
            var read = 0
            func take() throws {
                guard let bytes = try reader.readNow(100_000) else { throw ContractBreach("the channel ended early") }
                if bytes.isEmpty {
                    // What the writer's channel has taken may wait in it for the next call.
                    guard try writer.readNow(1) == [] else { throw ContractBreach("bytes came from nowhere") }
                    try ByteStream.wait(for: [(reader, false), (writer, false)])
                }
                for (index, byte) in bytes.enumerated() where byte != chunk[(read + index) % chunk.count] {
                    throw ContractBreach("byte \(read + index) is another one")
                }
                read += bytes.count
            }
            while read < sent { try take() }
            try writer.wait(wantsToWrite: true)
            while written < sent + 1_000 {
                let count = try writer.writeNow(chunk, from: written % chunk.count, limit: 1_000)
                written += count
                if count == 0 { try writer.wait(wantsToWrite: true) }
            }
            while read < written { try take() }
        }
    }

    /// One byte each way, after which both ends are connected.
    static func greet(_ first: ByteStream, _ second: ByteStream) throws {
        let streams = [first, second]
        var isSent = [false, false]
        var isReceived = [false, false]
        while isSent != [true, true] || isReceived != [true, true] {
            var hasMoved = false
            for side in 0...1 {
                if !isSent[side], try streams[side].writeNow([UInt8(side)]) == 1 { (isSent[side], hasMoved) = (true, true) }
                guard !isReceived[side], let bytes = try streams[side].readNow(1), !bytes.isEmpty else { continue }
                (isReceived[side], hasMoved) = (true, true)
            }
            if !hasMoved { try ByteStream.wait(for: [(streams[0], !isSent[0]), (streams[1], !isSent[1])]) }
        }
    }
}
