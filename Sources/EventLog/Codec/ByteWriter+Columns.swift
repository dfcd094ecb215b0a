package import Storage

// The chunk encodings of SPEC.md, 3.2, that need no column around them.
extension ByteWriter {
    /// Numbers as a base and equally wide differences, for other modules, which cannot specialise what is generic here.
    package mutating func ints(_ values: [Int64]) { ints(values.span) }

    /// Numbers as a base and equally wide differences.
    ///
    /// Unsigned numbers are stored by their bits.
    mutating func ints<Number: FixedWidthInteger & BitwiseCopyable>(_ values: Span<Number>) {
        var low = Int64.max
        var high = Int64.min
        for index in values.indices {
            let value = Int64(truncatingIfNeeded: values[index])
            low = Swift.min(low, value)
            high = Swift.max(high, value)
        }
        if values.isEmpty { (low, high) = (0, 0) }
        zigzag(low)
        let reach = UInt64(bitPattern: high &- low)
        if reach == 0 {
            u8(0)
        } else if reach <= 0xff {
            differences(values, from: low, as: UInt8.self)
        } else if reach <= 0xffff {
            differences(values, from: low, as: UInt16.self)
        } else if reach <= 0xffff_ffff {
            differences(values, from: low, as: UInt32.self)
        } else {
            differences(values, from: low, as: UInt64.self)
        }
    }

    /// `count` bits, the first in the lowest bit of the first byte; the unused ones are zero.
    package mutating func bits(_ count: Int, _ isSet: (Int) -> Bool) {
        var byte: UInt8 = 0
        for index in 0..<count {
            if isSet(index) { byte |= 1 << UInt8(index & 7) }
            if index & 7 == 7 {
                u8(byte)
                byte = 0
            }
        }
        if count & 7 != 0 { u8(byte) }
    }

    /// Words of 64 bits, one after the other.
    mutating func words(_ values: Span<UInt64>) {
        let start = count
        zeros(values.count * 8)
        unsafe bytes.withUnsafeMutableBytes { target in
            for index in values.indices {
                unsafe target.storeBytes(of: values[index].littleEndian, toByteOffset: start + index * 8, as: UInt64.self)
            }
        }
    }

    /// Object ids: whose they are, then sequences, then indexes.
    mutating func objects(_ ids: Span<ObjectID>, origins: inout OriginTable) {
        var numbers: [Int] = []
        var sequences: [UInt64] = []
        var indexes: [UInt32] = []
        numbers.reserveCapacity(ids.count)
        sequences.reserveCapacity(ids.count)
        indexes.reserveCapacity(ids.count)
        for position in ids.indices {
            let id = ids[position]
            numbers.append(origins.number(of: id.replica))
            sequences.append(id.sequence)
            indexes.append(id.index)
        }
        replicas(numbers)
        ints(sequences.span)
        ints(indexes.span)
    }

    /// Stamps of the writes that were overwritten: timestamps, then whose they are.
    mutating func stamps(_ stamps: Span<Stamp>, origins: inout OriginTable) {
        var numbers: [Int] = []
        var timestamps: [UInt64] = []
        for position in stamps.indices {
            numbers.append(origins.number(of: stamps[position].replica))
            timestamps.append(stamps[position].timestamp.rawValue)
        }
        ints(timestamps.span)
        replicas(numbers)
    }

    private mutating func replicas(_ numbers: [Int]) {
        if let first = numbers.first, numbers.allSatisfy({ $0 == first }) {
            u8(TransactionFormat.ReplicaForm.common)
            count(first)
        } else {
            u8(TransactionFormat.ReplicaForm.each)
            for number in numbers { count(number) }
        }
    }

    private mutating func differences<Number: FixedWidthInteger & BitwiseCopyable, Width: FixedWidthInteger & BitwiseCopyable>(
        _ values: Span<Number>, from low: Int64, as _: Width.Type
    ) {
        let width = MemoryLayout<Width>.size
        u8(UInt8(width))
        let start = count
        zeros(values.count * width)
        unsafe bytes.withUnsafeMutableBytes { target in
            for index in values.indices {
                let difference = Width(truncatingIfNeeded: Int64(truncatingIfNeeded: values[index]) &- low)
                unsafe target.storeBytes(of: difference.littleEndian, toByteOffset: start + index * width, as: Width.self)
            }
        }
    }
}
