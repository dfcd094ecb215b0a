package import Storage

// The chunk encodings of SPEC.md, 3.2. In all of them the caller has bounded `count`, since a few bytes may stand for any
// number of equal values.
extension ByteReader {
    /// Numbers stored as a base and equally wide differences.
    package mutating func ints(_ count: Int) throws(StorageError) -> [Int64] {
        let base = try zigzag()
        let width = try u8()
        switch width {
        case 0: return Array(repeating: base, count: count)
        case 1: return try differences(count, from: base, as: UInt8.self)
        case 2: return try differences(count, from: base, as: UInt16.self)
        case 4: return try differences(count, from: base, as: UInt32.self)
        case 8: return try differences(count, from: base, as: UInt64.self)
        default: throw failure("numbers of \(width) bytes")
        }
    }

    /// Numbers of 32 bits that pass `isValid`; anything else is malformed.
    package mutating func smallInts(
        _ count: Int, _ what: StaticString, where isValid: (UInt32) -> Bool = { _ in true }
    ) throws(StorageError) -> [UInt32] {
        let start = position
        let wide = try ints(count)
        var result: [UInt32] = []
        result.reserveCapacity(count)
        var isSound = true
        for value in wide {
            let narrow = UInt32(truncatingIfNeeded: value)
            isSound = isSound && Int64(narrow) == value && isValid(narrow)
            result.append(narrow)
        }
        guard isSound else { throw .malformed("\(what) out of range", offset: UInt64(start)) }
        return result
    }

    /// The first bit in the lowest bit of the first word; the unused ones are zero.
    package mutating func bits(_ count: Int) throws(StorageError) -> [UInt64] {
        let start = position
        let range = try advance((count + 7) >> 3)
        var words = Array(repeating: UInt64(0), count: (count + 63) >> 6)
        for (index, position) in range.enumerated() { words[index >> 3] |= UInt64(bytes[position]) << UInt64((index & 7) << 3) }
        if count & 63 != 0, words[words.count - 1] >> UInt64(count & 63) != 0 {
            throw .malformed("bits set behind the last row", offset: UInt64(start))
        }
        return words
    }

    /// Words of 64 bits.
    package mutating func words(_ count: Int) throws(StorageError) -> [UInt64] {
        let range = try advance(count &* 8)
        return unsafe [UInt64](unsafeUninitializedCapacity: count) { target, filled in
            unsafe bytes.withUnsafeBytes { source in
                for index in 0..<count {
                    let word = unsafe source.loadUnaligned(fromByteOffset: range.lowerBound &+ index &* 8, as: UInt64.self)
                    unsafe target.initializeElement(at: index, to: UInt64(littleEndian: word))
                }
            }
            filled = count
        }
    }

    /// Object ids: whose they are, then sequences, then indexes.
    mutating func objects(_ count: Int, origins: [ReplicaID]) throws(StorageError) -> [ObjectID] {
        let replicas = try replicas(count, origins: origins)
        let start = position
        let sequences = try ints(count)
        guard !sequences.contains(0) else { throw .malformed("an object of sequence 0", offset: UInt64(start)) }
        let indexes = try smallInts(count, "an index")
        var result: [ObjectID] = []
        result.reserveCapacity(count)
        for row in 0..<count {
            result.append(
                ObjectID(replica: replicas[row], sequence: UInt64(bitPattern: sequences[row]), index: indexes[row]))
        }
        return result
    }

    /// Stamps, for the present rows alone.
    mutating func stamps(_ count: Int, origins: [ReplicaID]) throws(StorageError) -> [Stamp] {
        let timestamps = try ints(count)
        let replicas = try replicas(count, origins: origins)
        var result: [Stamp] = []
        result.reserveCapacity(count)
        for row in 0..<count {
            let timestamp = Timestamp(rawValue: UInt64(bitPattern: timestamps[row]))
            result.append(Stamp(timestamp: timestamp, replica: replicas[row]))
        }
        return result
    }

    /// One number of a table with `count` entries.
    mutating func number(below count: Int, _ what: StaticString) throws(StorageError) -> Int {
        let start = position
        let number = try varint()
        guard number < UInt64(count) else {
            throw .malformed("\(what) number \(number) of \(count)", offset: UInt64(start))
        }
        return Int(number)
    }

    private mutating func replicas(_ count: Int, origins: [ReplicaID]) throws(StorageError) -> Replicas {
        let form = try u8()
        switch form {
        case TransactionFormat.ReplicaForm.common:
            return .common(origins[try number(below: origins.count, "an origin")])
        case TransactionFormat.ReplicaForm.each:
            guard count <= remaining else { throw shortage(of: count) }
            let start = position
            var result: [ReplicaID] = []
            result.reserveCapacity(count)
            for _ in 0..<count { result.append(origins[try number(below: origins.count, "an origin")]) }
            guard result.contains(where: { $0 != result[0] }) else {
                throw .malformed("equal replicas one by one", offset: UInt64(start))
            }
            return .each(result)
        default: throw failure("replicas of form \(form)")
        }
    }

    private enum Replicas {
        case common(ReplicaID)
        case each([ReplicaID])

        subscript(row: Int) -> ReplicaID {
            switch self {
            case .common(let replica): replica
            case .each(let replicas): replicas[row]
            }
        }
    }

    private mutating func differences<Width: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ count: Int, from base: Int64, as _: Width.Type
    ) throws(StorageError) -> [Int64] {
        let width = MemoryLayout<Width>.size
        let range = try advance(count &* width)
        return unsafe [Int64](unsafeUninitializedCapacity: count) { target, filled in
            unsafe bytes.withUnsafeBytes { source in
                for index in 0..<count {
                    let difference = unsafe source.loadUnaligned(
                        fromByteOffset: range.lowerBound &+ index &* width, as: Width.self)
                    let value = base &+ Int64(truncatingIfNeeded: Width(littleEndian: difference))
                    unsafe target.initializeElement(at: index, to: value)
                }
            }
            filled = count
        }
    }
}
