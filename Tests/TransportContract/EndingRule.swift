import Storage
import Transports

/// How a connection ends.
enum EndingRule {
    static func checkOrder(_ adapter: ContractAdapter) throws {
        for swapped in [false, true] {
            let pair = try adapter.connect()
            let (near, far) = try pair.ends(swapped: swapped)
            try FullnessRule.greet(near, far)
            let message = TransferRule.bytes(10_000, seed: 5)
            var done = 0
            // A transport that holds less is read meanwhile.
            var received: [UInt8] = []
            while done < message.count {
                done += try near.writeNow(message, from: done)
                if let bytes = try far.readNow() { received += bytes }
            }
            near.channel.close()
            received += try far.readAll()
            guard received == message else {
                throw ContractBreach("\(received.count) of \(message.count) bytes arrived before the end")
            }
            guard try far.readNow() == nil else { throw ContractBreach("something came after the end") }
            far.channel.close()
        }
    }

    static func checkMiddle(_ adapter: ContractAdapter) throws {
        for swapped in [false, true] {
            let pair = try adapter.connect()
            let (near, far) = try pair.ends(swapped: swapped)
            try FullnessRule.greet(near, far)
            let chunk = TransferRule.bytes(50_000, seed: 9)
            for _ in 0..<4 {
                _ = try near.writeNow(chunk)
                _ = try far.writeNow(chunk)
            }
            near.channel.close()
            try expectClosed(near)
            // Whatever was under way, the other end comes to an end: by `end`, or by an error that names it.
            try expectEnd(of: far)
            try expectWritesToFail(far)
            far.channel.close()
            try expectClosed(far)
        }
    }

    static func checkTwice(_ adapter: ContractAdapter) throws {
        let pair = try adapter.connect()
        let (near, far) = try pair.ends(swapped: false)
        for stream in [near, far] {
            stream.channel.close()
            stream.channel.close()
            try expectClosed(stream)
            stream.channel.close()
        }
    }

    static func checkDeath(_ adapter: ContractAdapter) throws {
        for isNear in [false, true] {
            let pair = try adapter.connect()
            let survivor: ByteStream
            do {
                let (near, far) = try pair.ends(swapped: isNear)
                try FullnessRule.greet(near, far)
                survivor = near
            }
            pair.letGo(ofNear: isNear)
            try expectEnd(of: survivor)
            survivor.channel.close()
        }
    }

    static func checkLeftovers(_ adapter: ContractAdapter) throws {
        let before = try OpenDescriptors.count()
        for round in 0..<adapter.rounds {
            let pair = try adapter.connect()
            let (near, far) = try pair.ends(swapped: round % 2 == 1)
            if round % 3 != 0 { try FullnessRule.greet(near, far) }
            near.channel.close()
            if round % 5 != 0 { far.channel.close() }
        }
        // Tests beside this one open and close theirs, and a child process takes a moment to end.
        let pause = WakeSignal()
        for _ in 0..<60_000 {
            if try OpenDescriptors.count() < before + adapter.rounds { return }
            pause.wait(past: pause.generation, milliseconds: 5)
        }
        throw ContractBreach("\(try OpenDescriptors.count() - before) descriptors are left of \(adapter.rounds) connections")
    }

    /// Every call of a channel that was closed here fails, with its name.
    private static func expectClosed(_ stream: ByteStream) throws {
        for attempt in [{ _ = try stream.readNow() }, { _ = try stream.writeNow([1]) }, { try stream.channel.recheck() }] {
            do {
                try attempt()
            } catch let error as TransportError {
                guard error.code == .closed, error.address == stream.channel.peer, error.message.contains(stream.channel.peer)
                else { throw ContractBreach("an error that says too little: \(error.code) \(error)") }
                continue
            }
            throw ContractBreach("\(stream.channel.peer) was closed and goes on")
        }
    }

    private static func expectEnd(of stream: ByteStream) throws {
        do {
            while try stream.read() != nil {}
        } catch let error as TransportError {
            guard error.code == .closed || error.code == .unreachable, error.address == stream.channel.peer,
                error.message.contains(stream.channel.peer)
            else { throw ContractBreach("an error that says too little: \(error.code) \(error)") }
        }
    }

    /// Not at once: a transport may hold some bytes for a peer before it hears that it is gone.
    private static func expectWritesToFail(_ stream: ByteStream) throws {
        let chunk = [UInt8](repeating: 0, count: 65_536)
        let pause = WakeSignal()
        for _ in 0..<60_000 {
            do {
                if try stream.writeNow(chunk) == 0 { pause.wait(past: pause.generation, milliseconds: 5) }
            } catch {
                guard error.address == stream.channel.peer else { throw ContractBreach("an error of another peer: \(error)") }
                return
            }
        }
        throw ContractBreach("\(stream.channel.peer) takes bytes for a peer that is gone")
    }
}
