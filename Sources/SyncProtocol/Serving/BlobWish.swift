import EventLog

/// Why a blob is wanted.
struct BlobWish {
    let reference: BlobReference
    /// It is named by a transaction, and peers of whom everything is taken may bring it.
    var isEager = false
    /// How urgently it was asked for, by each who waits for it.
    var priorities: [Int: Int] = [:]

    var isDemanded: Bool { !priorities.isEmpty }
    var priority: Int { priorities.values.max() ?? 0 }

    init(reference: BlobReference) { self.reference = reference }
}
