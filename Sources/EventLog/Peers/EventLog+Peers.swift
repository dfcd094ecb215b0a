import Storage

// Who must have what before it may be trimmed.
extension EventLog {
    /// Everybody whose acknowledgements are noted: peers ascending by id, then consumers ascending by name.
    ///
    /// - Throws: `corrupt` for a file that is damaged.
    package var peers: [PeerRecord] { get throws(LogError) { try peerList().records } }

    /// Those that have not been heard of for thirty days.
    package var lapsedPeers: [PeerRecord] {
        get throws(LogError) {
            let now = environment.clock.now()
            return try peers.filter { $0.hasLapsed(now: now) }
        }
    }

    /// Notes what a peer has received, durably; what it acknowledged before stays acknowledged.
    ///
    /// - Parameters:
    ///   - name: for people; at most 255 bytes, the rest is cut off.
    ///   - vector: what it says it has, durably; what is of no meaning here holds nothing up.
    package func acknowledge(peer: ReplicaID, name: String, _ vector: VersionVector) throws(LogError) {
        try changePeers { list, now in
            var token = HistoryToken(dataset: dataset, vector: vector)
            if let before = list.records.first(where: { $0.kind == .peer(peer) }) {
                var merged = before.acknowledged.vector
                merged.merge(vector)
                token = HistoryToken(dataset: dataset, vector: merged)
            }
            list.set(PeerRecord(kind: .peer(peer), name: name.cut(PeerList.longestName), acknowledged: token, lastContact: now))
            return true
        }
    }

    /// Notes how far a consumer has read, durably; it may go back.
    ///
    /// - Throws: `wrongDataset`, or `tooLarge` for a name that is empty or has more than 255 bytes.
    package func acknowledge(consumer name: String, _ token: HistoryToken) throws(LogError) {
        guard token.dataset == dataset else {
            throw LogError(
                .wrongDataset, "the token is of dataset \(token.dataset), and the store of \(dataset)", path: layout.root)
        }
        guard !name.isEmpty, name.utf8.count <= PeerList.longestName else {
            throw LogError(.tooLarge, "a consumer's name has from 1 to \(PeerList.longestName) bytes", path: layout.root)
        }
        try changePeers { list, now in
            list.set(PeerRecord(kind: .consumer, name: name, acknowledged: token, lastContact: now))
            return true
        }
    }

    /// Forgets a peer, by its id or name, or a consumer by its name: it holds up nothing any more.
    ///
    /// - Returns: whether it was known.
    @discardableResult
    package func forget(_ key: String) throws(LogError) -> Bool {
        try changePeers { list, _ in list.remove(key) != nil }
    }

    private func peerList() throws(LogError) -> PeerList {
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try environment.fileSystem.readWhole(layout.peers, limit: PeerList.maximumSize)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            return PeerList()
        }
        return try PeerList(bytes, path: layout.peers)
    }

    /// Reads the file, changes it, and replaces it durably; one process at a time.
    @discardableResult
    private func changePeers(_ change: (inout PeerList, UInt64) -> Bool) throws(LogError) -> Bool {
        guard mode == .readWrite else {
            throw LogError(.readOnly, "the store was opened for reading only; open it for writing", path: layout.root)
        }
        let lock = try LogError.wrap { () throws(StorageError) in
            let lock = try environment.fileSystem.open("\(layout.temporary)/peers.lock", .create)
            do throws(StorageError) { try lock.lock() } catch {
                lock.close()
                throw error
            }
            return lock
        }
        defer { lock.close() }
        var list = try peerList()
        let before = list
        let isChanged = change(&list, environment.clock.now())
        guard list != before else { return isChanged }
        let contents = list.encode()
        try LogError.wrap { () throws(StorageError) in try environment.fileSystem.replace(layout.peers, with: contents) }
        return isChanged
    }
}

extension StoreLayout {
    /// Who has acknowledged what.
    package var peers: String { root + "/PEERS" }
}

extension String {
    /// At most so many bytes of it, whole characters.
    fileprivate func cut(_ limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}
