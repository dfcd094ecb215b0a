package import Storage

/// Who a store is, and what its place on disk looked like: SPEC.md, section 4.7.
package struct StoreIdentity: Sendable, Equatable {
    /// What changes when a store is copied, restored or moved to another machine.
    package struct Fingerprint: Sendable, Equatable {
        package var fileSystem: UInt64, inode: UInt64, birth: UInt64, change: UInt64
        package var machine: Digest128

        package init(lock: FileAttributes, host: HostIdentity) {
            fileSystem = lock.fileSystem
            inode = lock.inode
            birth = lock.birth
            change = lock.change
            machine = host.machine
        }

        fileprivate init(fileSystem: UInt64, inode: UInt64, birth: UInt64, change: UInt64, machine: Digest128) {
            self.fileSystem = fileSystem
            self.inode = inode
            self.birth = birth
            self.change = change
            self.machine = machine
        }
    }

    package var dataset: DatasetID
    package var log: Digest128
    package var replica: ReplicaID
    package var fingerprint: Fingerprint
    /// The id it wrote under before, until the first transaction of the present one says so.
    package var former: ReplicaID?

    private static let magic = "STRDIDN1"

    package init(dataset: DatasetID, log: Digest128, replica: ReplicaID, fingerprint: Fingerprint, former: ReplicaID? = nil) {
        self.dataset = dataset
        self.log = log
        self.replica = replica
        self.fingerprint = fingerprint
        self.former = former
    }

    package func encode() -> [UInt8] {
        ChecksummedFile.encode(magic: Self.magic) { writer in
            writer.digest(dataset.bits)
            writer.digest(log)
            writer.digest(replica.bits)
            for word in [fingerprint.fileSystem, fingerprint.inode, fingerprint.birth, fingerprint.change] { writer.u64(word) }
            writer.digest(fingerprint.machine)
            writer.digest(former?.bits ?? .zero)
        }
    }

    package init(_ bytes: [UInt8], path: String) throws(LogError) {
        var reader = try ChecksummedFile.open(bytes, magic: Self.magic, path: path)
        self = try LogError.damage(in: path) { () throws(StorageError) in
            let (dataset, log, replica) = (try reader.digest(), try reader.digest(), try reader.digest())
            let fingerprint = Fingerprint(
                fileSystem: try reader.u64(), inode: try reader.u64(), birth: try reader.u64(), change: try reader.u64(),
                machine: try reader.digest())
            let former = try reader.digest()
            try reader.expectEnd()
            return StoreIdentity(
                dataset: DatasetID(dataset), log: log, replica: ReplicaID(replica), fingerprint: fingerprint,
                former: former == .zero ? nil : ReplicaID(former))
        }
    }
}
