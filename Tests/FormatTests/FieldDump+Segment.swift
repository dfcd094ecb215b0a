import Storage

// A segment: SPEC.md, section 4.
extension FieldDump {
    mutating func segment() {
        segmentHeader()
        for slot in 1...2 {
            zeros(to: slot * 4096)
            if bytes[at] != 0 { watermark(slot) }
        }
        zeros(to: 12_288)
        while at < bytes.count, bytes[at] != 0 {
            frame()
            zeros(to: min(bytes.count, (at + 4095) / 4096 * 4096))
        }
        zeros(to: bytes.count)
    }

    private mutating func segmentHeader() {
        heading("segment header (4.1)")
        field(8, "\"STRDSEG1\"")
        number(2, "format, major")
        number(2, "format, minor")
        number(4, "incompatible features")
        number(4, "read-only compatible features")
        number(4, "compatible features")
        id("dataset")
        id("log")
        number(8, "ordinal")
        number(8, "first LSN")
        number(8, "salt", hexadecimal: true)
        number(8, "predecessor's ordinal")
        number(8, "predecessor's end")
        number(8, "predecessor's link", hexadecimal: true)
        number(8, "milliseconds when it was created")
        zeros(to: 4080)
        id("XXH128 of bytes 0–4079")
    }

    private mutating func watermark(_ slot: Int) {
        heading("watermark \(slot) (4.2)")
        field(4, "\"WMRK\"")
        number(4, "flags (1: clean)")
        number(8, "counter")
        number(8, "end")
        number(8, "last LSN")
        number(8, "group")
        number(8, "link", hexadecimal: true)
        number(8, "checkpoint")
        number(8, "XXH64 of the 56 bytes before, seed salt", hexadecimal: true)
    }

    private mutating func frame() {
        let type = bytes[at + 4]
        heading("frame header (4.3): \(type == 5 ? "an index" : "a batch")")
        field(4, "\"SFRM\"")
        number(1, "type")
        let codec = number(1, "codec (0: raw)")
        number(2, "flags (1: first of its group, 2: last)")
        let stored = Int(number(4, "stored length of the body"))
        number(4, "logical length")
        number(8, "LSN")
        number(4, "transactions that end in it")
        number(4, "group")
        number(8, "durable LSN")
        number(8, "link: checksum of the header before", hexadecimal: true)
        number(8, "XXH64 of the stored body", hexadecimal: true)
        number(8, "XXH64 of the 56 bytes before, seed salt", hexadecimal: true)
        let end = at + stored
        if codec == 0, type == 5 { index() }
        if codec == 0, type == 1 { batch() }
        if at < end { field(end - at, "NOT EXPLAINED") }
    }

    private mutating func index() {
        heading("index body (4.9)")
        number(1, "version")
        varint("clock")
        for _ in 0..<varint("number of seeks") {
            varint("offset, delta")
            varint("LSN, delta")
        }
        let branches = varint("number of branches")
        for _ in 0..<branches { branch() }
    }

    private mutating func branch() {
        id("branch: origin")
        varint("branch: first sequence")
        id("branch: chain")
        varint("parent number + 1")
        id("name")
        number(1, "forked")
        varint("last position: sequence")
        id("last position: chain")
        number(8, "last timestamp")
        varint("applied position: sequence")
        id("applied position: chain")
        number(8, "applied timestamp")
        number(8, "next timestamp")
        varint("LSN after which the applied position moved")
    }

    private mutating func batch() {
        heading("batch body (3.5)")
        number(1, "version")
        id("origin")
        varint("first sequence")
        let count = varint("count")
        id("chain before")
        id("chain after")
        for _ in 0..<count {
            let count = Int(varint("byte count of part 0"))
            transaction(upTo: at + count)
        }
    }
}
