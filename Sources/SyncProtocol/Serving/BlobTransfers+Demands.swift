package import EventLog
import Synchronization

// Blobs that somebody asks for.
extension BlobTransfers {
    /// Fetches a blob from whichever peer has it, now or later; a number to take it back by.
    ///
    /// Who asks for the same blob at the same time shares the transfer.
    package func demand(_ demand: BlobDemand) -> Int? {
        let reference = demand.reference
        guard reference.length > 0, reference.length <= BlobFormat.maximumFetched else {
            demand.onEnd(.tooLong)
            return nil
        }
        return state.withLock { state in
            defer { state.nextNumber += 1 }
            let number = state.nextNumber
            state.demands[number] = demand
            state.wanted[reference.id, default: BlobWish(reference: reference)].priorities[number] = demand.priority
            state.sortUrgent(reference.id)
            return number
        }
    }

    /// Takes a demand back; it hears why the blob has not come, unless it has.
    package func withdraw(_ number: Int, isCancelled: Bool = false) {
        let found = state.withLock { state -> (demand: BlobDemand, reason: BlobShortage)? in
            guard let demand = state.demands.removeValue(forKey: number) else { return nil }
            let id = demand.reference.id
            let reason = isCancelled ? BlobShortage.cancelled : state.shortage(of: id)
            state.wanted[id]?.priorities[number] = nil
            state.sortUrgent(id)
            return (demand, reason)
        }
        guard let found else { return }
        giveUp(found.demand.reference.id)
        found.demand.onEnd(found.reason)
    }

    /// Takes all demands back.
    package func cancelDemands() {
        for number in state.withLock({ $0.demands.keys.sorted() }) { withdraw(number, isCancelled: true) }
    }

    /// Whether every peer that may be asked has said that it does not have a blob.
    package func isLackedByAll(_ id: BlobID) -> Bool {
        state.withLock { state in
            if case .nobodyHasIt = state.shortage(of: id) { return true }
            return false
        }
    }

    /// Bytes of a blob that are here already, when it is on its way into this process' hands.
    package func arrived(_ id: BlobID) -> UInt64? { state.withLock { $0.transfers[id]?.blob }?.byteCount }

    /// Bytes of a stretch of a blob that is on its way, if all chunks that it touches are here.
    package func readArrived(_ range: Range<UInt64>, of reference: BlobReference) throws(LogError) -> [UInt8]? {
        if let blob = state.withLock({ $0.transfers[reference.id]?.blob }), let bytes = try blob.read(range) { return bytes }
        return try store.readArrived(range, of: reference)
    }

    func tellProgress(of id: BlobID, _ blob: ArrivingBlob) {
        let listeners = state.withLock { state in
            (state.wanted[id]?.priorities.keys.sorted() ?? []).compactMap { state.demands[$0] }
        }
        guard !listeners.isEmpty else { return }
        let count = blob.byteCount
        for listener in listeners { listener.onProgress(count) }
    }
}

extension BlobTransfers.State {
    /// Why a blob has not come so far.
    fileprivate func shortage(of id: BlobID) -> BlobShortage {
        let able = connections.filter { $0.value.policy != .none && $0.value.peer != nil }.map(\.key)
        guard !able.isEmpty else { return .nobodyThere }
        let lacking = lacking[id] ?? []
        return able.allSatisfy { lacking.contains($0) } ? .nobodyHasIt(peers: able.count) : .tooSlow
    }
}
