extension Blob {
    /// Bytes of the content.
    ///
    /// What is stored is read from disk each time; what is to be stored is read from where it comes from, whatever made while it is
    /// written excepted.
    ///
    /// ```swift
    /// let header = try image.data.read(0..<512)
    /// ```
    ///
    /// - Parameter range: what to read, cut off at the end; everything without.
    /// - Throws: ``StoreError`` `blobMissing` when it is not on this replica, `storage`; `closed` for a handle that belongs to no store, or
    ///   whose content is made only while it is written.
    public func read(_ range: Range<UInt64>? = nil) throws -> [UInt8] {
        switch content {
        case .bytes(let bytes): return Array(Self.cut(bytes[...], to: range))
        case .stored(let reference):
            if let inline = reference.inline { return Array(Self.cut(inline[...], to: range)) }
            guard let source else {
                throw StoreError(
                    .closed, "blob \(reference.id) was not fetched from a store; fetch its object, and read from that")
            }
            let end = min(range?.upperBound ?? reference.length, reference.length)
            let start = min(range?.lowerBound ?? 0, end)
            return try StoreError.wrap { try source.read(reference, range: start..<end) }
        case .file, .produced:
            throw StoreError(
                .closed, "the content is read while it is written; fetch its object afterwards, and read from that")
        }
    }

    private static func cut(_ bytes: ArraySlice<UInt8>, to range: Range<UInt64>?) -> ArraySlice<UInt8> {
        guard let range else { return bytes }
        let end = Int(min(range.upperBound, UInt64(bytes.count)))
        return bytes[bytes.startIndex + min(Int(clamping: range.lowerBound), end)..<bytes.startIndex + end]
    }
}
