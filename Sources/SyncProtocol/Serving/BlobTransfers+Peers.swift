package import EventLog
import Synchronization

// What peers have, and what is kept for them.
extension BlobTransfers {
    /// News that wait in memory before they are written by whoever has time.
    private static let mostNews = 4_096

    func meet(_ peer: ReplicaID, on connection: Int) { state.withLock { $0.connections[connection]?.peer = peer } }

    func note(_ news: BlobNews, of connection: Int) {
        if case .kept(let number, let ids) = news {
            state.withLock { $0.questions[number] }?.answer(connection, ids)
            return
        }
        state.withLock { state in
            guard let peer = state.connections[connection]?.peer else { return }
            // What is left out only costs a question.
            if state.news.values.reduce(0, { $0 + $1.here.count + $1.gone.count }) < Self.mostNews {
                state.note(news, of: peer)
            }
        }
    }

    func keep(_ blobs: [BlobReference], for connection: Int) throws -> [BlobID] {
        guard let peer = state.withLock({ $0.connections[connection]?.peer }) else { return [] }
        return try store.keep(blobs, for: peer)
    }

    /// Whether a peer is connected that has introduced itself.
    package var isMet: Bool { state.withLock { $0.connections.values.contains { $0.peer != nil } } }

    /// Whether peers said something that is not in the file yet.
    package var hasNews: Bool { state.withLock { !$0.news.isEmpty } }

    /// Writes down what peers said they have; at worst it is forgotten, and costs a question.
    package func settleNews() {
        let news = state.withLock { state in
            defer { state.news = [:] }
            return state.news
        }
        guard !news.isEmpty else { return }
        try? store.changeCopies { copies, now in
            for peer in news.keys.sorted() {
                copies.note(peer, now: now) { known in
                    known.here.insert(news[peer]?.here ?? [])
                    known.here.remove(news[peer]?.gone ?? [])
                }
            }
        }
    }

    /// Peers that are known to have a blob, by what they said last.
    package func holders(of id: BlobID) throws(LogError) -> [ReplicaID] {
        let news = state.withLock { $0.news }
        var holders = Set(try store.copies().holders(of: id, now: store.now))
        for (peer, said) in news {
            if said.here.contains(id) { holders.insert(peer) }
            if said.gone.contains(id) { holders.remove(peer) }
        }
        return holders.sorted()
    }

    /// A question for all that are connected: whoever runs the sessions asks it, and tells ``BlobQuestion/ask(_:)`` whom.
    package func question(_ blobs: [BlobReference]) -> BlobQuestion {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            let question = BlobQuestion(number: UInt32(truncatingIfNeeded: state.nextNumber), blobs)
            state.questions[question.number] = question
            return question
        }
    }

    package func forget(_ question: BlobQuestion) { state.withLock { $0.questions[question.number] = nil } }
}
