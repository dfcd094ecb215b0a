import EventLog
package import Storage

extension FoldState {
    /// The digest by which two replicas with equal applied vectors know that they agree.
    package var stateDigest: Digest128 {
        var sum = Digest128.zero
        objects.visit { id, record in sum = sum &+ digest(of: id, record) }
        return sum
    }

    /// What one object adds to the state digest.
    func digest(of id: ObjectID, _ record: ObjectRecord) -> Digest128 {
        var sum = Digest128.zero
        let length = length(of: id, record)
        if record.isAlive {
            var bytes = DigestBytes()
            bytes.add(UInt8(ascii: "O"))
            bytes.add(id)
            bytes.add(record.entity?.text ?? "")
            bytes.add(length)
            bytes.add(record.created.rawValue)
            sum = sum &+ bytes.digest
        }
        for (epochLength, epoch) in record.epochs where epochLength >= length {
            for (property, register) in epoch.registers {
                sum = sum &+ digest(of: id, epochLength, property, register)
            }
            for (property, sums) in epoch.counters {
                for (origin, amount) in sums { sum = sum &+ digest(of: id, epochLength, property, origin, amount) }
            }
            for (property, targets) in epoch.edges {
                for (target, edge) in targets where !edge.isMultiple(of: 2) {
                    sum = sum &+ digest(of: id, epochLength, property, target, edge)
                }
            }
        }
        return sum
    }

    private func digest(of id: ObjectID, _ length: UInt32, _ property: Property, _ register: Register) -> Digest128 {
        var bytes = DigestBytes()
        bytes.add(UInt8(ascii: "R"))
        bytes.add(id)
        bytes.add(length)
        bytes.add(property)
        bytes.add(register.isExplicit ? 1 as UInt8 : 0)
        bytes.add(register.stamp.timestamp.rawValue)
        bytes.add(register.stamp.replica.bits)
        bytes.add(register.value)
        return bytes.digest
    }

    private func digest(
        of id: ObjectID, _ length: UInt32, _ property: Property, _ origin: ReplicaID, _ amount: Int64
    ) -> Digest128 {
        var bytes = DigestBytes()
        bytes.add(UInt8(ascii: "C"))
        bytes.add(id)
        bytes.add(length)
        bytes.add(property.name)
        bytes.add(origin.bits)
        bytes.add(amount)
        return bytes.digest
    }

    private func digest(
        of id: ObjectID, _ length: UInt32, _ property: Property, _ target: ObjectID, _ edge: UInt32
    ) -> Digest128 {
        var bytes = DigestBytes()
        bytes.add(UInt8(ascii: "E"))
        bytes.add(id)
        bytes.add(length)
        bytes.add(property.name)
        bytes.add(target)
        bytes.add(edge)
        return bytes.digest
    }
}
