import Storage
import Synchronization
import Transports

/// What a channel says to wait for does come.
enum ReadinessRule {
    static func checkReady(_ adapter: ContractAdapter) throws {
        for swapped in [false, true] {
            let pair = try adapter.connect()
            let (near, far) = try pair.ends(swapped: swapped)
            try FullnessRule.greet(near, far)
            // The other side writes on a thread of its own, when this one waits or is about to.
            let message = TransferRule.bytes(1_000, seed: 11)
            let failure = Mutex<String?>(nil)
            let finished = WakeSignal()
            let ticket = finished.generation
            try WorkerThreads.run {
                do { try far.write(message) } catch { failure.withLock { $0 = "\(error)" } }
                finished.advance()
            }
            let received = try near.readAll(upTo: message.count)
            finished.wait(past: ticket)
            if let failure = failure.withLock({ $0 }) { throw ContractBreach("the writer failed: \(failure)") }
            guard received == message else { throw ContractBreach("other bytes arrived") }
        }
    }

    static func checkQuiet(_ adapter: ContractAdapter) throws {
        let pair = try adapter.connect()
        let (near, far) = try pair.ends(swapped: false)
        try FullnessRule.greet(near, far)
        for stream in [near, far] {
            // Whatever a transport still has to say to itself after the first bytes.
            while try stream.isReady(wantsToWrite: false) {
                guard let bytes = try stream.readNow(), bytes.isEmpty else { throw ContractBreach("bytes came from nowhere") }
            }
            guard try stream.readNow() == [] else { throw ContractBreach("bytes came from nowhere") }
            if try stream.isReady(wantsToWrite: false) { throw ContractBreach("\(stream.channel.peer) is ready for nothing") }
        }
    }
}
