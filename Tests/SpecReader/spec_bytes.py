"""Numbers, strings and hashes as SPEC.md section 1 has them."""

import struct

import lz4.block
import xxhash


class Malformed(Exception):
    """Bytes that break a rule of SPEC.md."""


class NeedsNewer(Exception):
    """A version, kind, type, flag or code that SPEC.md does not name."""


def xxh64(data, seed=0):
    return xxhash.xxh3_64_intdigest(data, seed=seed)


def xxh128(data):
    """The canonical form, 16 bytes, most significant first."""
    return xxhash.xxh3_128_digest(data)


def require(condition, message):
    if not condition:
        raise Malformed(message)


def align(value, unit):
    return (value + unit - 1) // unit * unit


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return varint(len(data)) + data


def u32(value):
    return struct.pack("<I", value)


def u64(value):
    return struct.pack("<Q", value & (1 << 64) - 1)


def decompressed(stored, logical):
    require(logical <= 255 * len(stored) + 64, "an LZ4 body that grows more than 255 times")
    try:
        body = lz4.block.decompress(stored, uncompressed_size=logical)
    except lz4.block.LZ4BlockError as error:
        raise Malformed(f"LZ4: {error}")
    require(len(body) == logical, "an LZ4 body of another size than its header says")
    return body


class Bytes:
    """Reads from the front of some bytes; whatever is missing is malformed."""

    def __init__(self, data):
        self.data = bytes(data)
        self.at = 0

    def left(self):
        return len(self.data) - self.at

    def take(self, count):
        require(count <= self.left(), f"{count} bytes wanted where {self.left()} are left")
        self.at += count
        return self.data[self.at - count:self.at]

    def rest(self):
        return self.take(self.left())

    def finish(self, what):
        require(self.left() == 0, f"{self.left()} bytes left over behind {what}")

    def u8(self):
        return self.take(1)[0]

    def u16(self):
        return struct.unpack("<H", self.take(2))[0]

    def u32(self):
        return struct.unpack("<I", self.take(4))[0]

    def u64(self):
        return struct.unpack("<Q", self.take(8))[0]

    def f64(self):
        """The bits: so that NaNs and zeros are kept as they are."""
        return self.take(8)

    def id(self):
        return self.take(16)

    def varint(self):
        value = 0
        for place in range(10):
            byte = self.u8()
            require(place < 9 or byte <= 1, "a varint above 64 bits")
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                require(byte or place == 0, "a varint longer than needed")
                return value
        raise Malformed("a varint above 64 bits")

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def count(self, least, limit=None):
        """A number of elements that take at least `least` bytes each."""
        value = self.varint()
        require(value * least <= self.left(), f"{value} elements in {self.left()} bytes")
        require(limit is None or value <= limit, f"{value} elements where {limit} are allowed")
        return value

    def string(self, limit=None):
        data = self.take(self.varint())
        require(limit is None or len(data) <= limit, f"a name of {len(data)} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("a string that is not UTF-8")
