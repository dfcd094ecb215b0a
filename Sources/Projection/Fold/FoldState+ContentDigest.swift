import EventLog
package import Storage

extension FoldState {
    /// A digest of what can be read, without identities and times: comparable between data sets made from one seed.
    package var contentDigest: Digest128 {
        let order = populatedEntities.flatMap { entity in
            objects(of: entity).sorted { a, b in
                let (first, second) = (objects[a]?.created ?? .zero, objects[b]?.created ?? .zero)
                if first != second { return first < second }
                if (a.sequence, a.index) != (b.sequence, b.index) { return (a.sequence, a.index) < (b.sequence, b.index) }
                return a < b
            }
        }
        let ordinals = Dictionary(uniqueKeysWithValues: zip(order, UInt64(1)...))
        var sum = Digest128.zero
        for id in order {
            guard let row = row(id), let ordinal = ordinals[id] else { continue }
            var bytes = DigestBytes()
            bytes.add(ordinal)
            bytes.add(row.entity)
            add(row, ordinals, to: &bytes)
            sum = sum &+ bytes.digest
        }
        return sum
    }

    private func add(_ row: Row, _ ordinals: [ObjectID: UInt64], to bytes: inout DigestBytes) {
        var fields: [Property: ResolvedValue?] = [:]
        for field in row.fields { fields[field.property] = .some(field.value) }
        for member in members(of: row.id) {
            for (property, _) in objects[member]?.current.edges ?? PropertyMap() { fields[property] = .some(nil) }
        }
        for (property, value) in fields.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .value(let value)?:
                bytes.add(property)
                bytes.add(value)
            case .reference(let reference)?:
                bytes.add(property)
                bytes.add(ValueType.reference.rawValue)
                bytes.add(reference.object.flatMap { ordinals[$0] } ?? 0)
            case nil:
                let targets = edges(from: row.id, property).compactMap { ordinals[$0] }.sorted()
                if targets.isEmpty { continue }
                bytes.add(property)
                bytes.addVarint(targets.count)
                for target in targets { bytes.add(target) }
            }
        }
    }
}
