// Invariants
// * `state` is this value's alone from `init` to the end, and freed once.

import CXXHash

/// XXH3-64 of bytes that come in pieces.
@safe package struct StreamingHash: ~Copyable {
    private let state: OpaquePointer

    package init(seed: UInt64) {
        guard let state = unsafe XXH3_createState() else { fatalError("no memory for the state of a hash") }
        unsafe self.state = state
        unsafe XXH3_64bits_reset_withSeed(state, seed)
    }

    deinit { unsafe XXH3_freeState(state) }

    package mutating func update(_ bytes: Span<UInt8>) {
        _ = unsafe bytes.withUnsafeBufferPointer { unsafe XXH3_64bits_update(state, $0.baseAddress, $0.count) }
    }

    package var digest: UInt64 { unsafe XXH3_64bits_digest(state) }
}
