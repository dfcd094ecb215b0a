"""The files of a store: SPEC.md sections 2 and 4."""

import os
from collections import namedtuple

from spec_bytes import Bytes, NeedsNewer, align, decompressed, require, u64, varint, xxh64, xxh128
from spec_transactions import Transaction, next_chain, root_chain

BATCH, PART, STAGE, CONTROL, INDEX, BASELINE = 1, 2, 3, 4, 5, 6
FIRST, LAST = 1, 2
HEADER, FRAMES, PAGE, UNIT = 64, 12_288, 4096, 64
GROUP = 4 << 20
ZERO = bytes(16)

Identity = namedtuple("Identity", "dataset log replica former")
Manifest = namedtuple("Manifest", "log generation first last ends")
Frame = namedtuple("Frame", "at type flags stored logical lsn ends group durable link checksum body")
Watermark = namedtuple("Watermark", "clean counter end lsn group link checkpoint")


def file_bytes(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def format_version(reader):
    major, minor = reader.u16(), reader.u16()
    if major != 1:
        raise NeedsNewer(f"format {major}.{minor}")


def read_identity(data):
    require(data[:8] == b"STRDIDN1", "IDENTITY does not begin as one")
    require(xxh128(data[:-16]) == data[-16:], "IDENTITY's checksum")
    body = Bytes(data[8:-16])
    format_version(body)
    dataset, log, replica = body.id(), body.id(), body.id()
    body.take(32 + 16)
    former = body.id()
    body.finish("IDENTITY")
    return Identity(dataset, log, replica, former)


def read_manifest(data):
    require(data[:8] == b"STRDMAN1", "MANIFEST does not begin as one")
    require(xxh128(data[:-16]) == data[-16:], "MANIFEST's checksum")
    body = Bytes(data[8:-16])
    format_version(body)
    log, generation, first, last = body.id(), body.u64(), body.u64(), body.u64()
    ends = {}
    for _ in range(body.count(2)):
        ordinal = body.varint()
        ends[ordinal] = body.varint()
    body.finish("MANIFEST")
    return Manifest(log, generation, first, last, ends)


class SegmentFile:
    """One file of frames: its header, watermarks, footer and groups."""

    def __init__(self, data, magic, name):
        self.data, self.name = data, name
        require(len(data) >= PAGE, f"{name}: shorter than its header")
        require(data[:8] == magic, f"{name}: does not begin with {magic}")
        require(xxh128(data[:4080]) == data[4080:4096], f"{name}: header checksum")
        head = Bytes(data[8:112])
        format_version(head)
        incompatible, self.read_only, _ = head.u32(), head.u32(), head.u32()
        if incompatible:
            raise NeedsNewer(f"{name}: feature bits {incompatible:#x}")
        self.dataset, self.log = head.id(), head.id()
        self.ordinal, self.first_lsn, self.salt = head.u64(), head.u64(), head.u64()
        self.predecessor, self.predecessor_end, self.predecessor_link = head.u64(), head.u64(), head.u64()
        self.created = head.u64()
        require(not any(data[112:4080]), f"{name}: header bytes that should be zero")

    def watermarks(self):
        found = [self.watermark(self.data[at:at + 64]) for at in (4096, 8192)]
        return sorted((w for w in found if w), key=lambda w: w.counter)

    def watermark(self, data):
        if len(data) < 64 or data[:4] != b"WMRK" or xxh64(data[:56], self.salt) != int.from_bytes(data[56:], "little"):
            return None
        body = Bytes(data[4:56])
        return Watermark(body.u32() & 1 == 1, *(body.u64() for _ in range(6)))

    def footer(self):
        """(index offset, end, last LSN, group, link), or None."""
        data = self.data[-64:]
        if data[:8] != b"STRDFTR1" or xxh64(data[:56], self.salt) != int.from_bytes(data[56:], "little"):
            return None
        body = Bytes(data[8:56])
        return tuple(body.u64() for _ in range(5))

    def header(self, at):
        """The frame whose header is at `at` without its body, or None."""
        data = self.data[at:at + HEADER]
        if len(data) < HEADER or data[:4] != b"SFRM":
            return None
        if xxh64(data[:56], self.salt) != int.from_bytes(data[56:], "little"):
            return None
        body = Bytes(data[4:])
        type, codec, flags = body.u8(), body.u8(), body.u16()
        stored, logical, lsn, ends, group = body.u32(), body.u32(), body.u64(), body.u32(), body.u32()
        durable, link, _, checksum = body.u64(), body.u64(), body.u64(), body.u64()
        if not (1 <= type <= BASELINE or type & 0x80):
            raise NeedsNewer(f"{self.name} at {at}: frame type {type}")
        if codec > 1 or flags & ~3:
            raise NeedsNewer(f"{self.name} at {at}: codec {codec} or flags {flags:#x}")
        limit = 16 << 20 if type in (INDEX, BASELINE) else (1 << 20) + 4096
        if logical > limit or codec == 0 and stored != logical or group == 0:
            return None
        return Frame(at, type, flags, stored, logical, lsn, ends, group, durable, link, checksum, codec)

    def frame(self, at):
        """The frame at `at` with its body; None when anything of it is not valid."""
        head = self.header(at)
        if head is None:
            return None
        stored = self.data[at + HEADER:at + HEADER + head.stored]
        claimed = int.from_bytes(self.data[at + 48:at + 56], "little")
        if len(stored) < head.stored or xxh64(stored) != claimed:
            return None
        return head._replace(body=decompressed(stored, head.logical) if head.body == 1 else stored)

    def group(self, at, number, link, limit=GROUP):
        """The frames of the group at `at`, or None."""
        frames = []
        while True:
            frame = self.frame(at)
            if frame is None or frame.link != link or number is not None and frame.group != number:
                return None
            if (frame.flags & FIRST != 0) != (not frames):
                return None
            frames.append(frame)
            if frame.flags & LAST:
                break
            number, link = frame.group, frame.checksum
            at = align(at + HEADER + frame.stored, UNIT)
        if limit and len(frames) > 1 and sum(f.logical for f in frames) > limit:
            return None
        return frames


class Log:
    """Scans all segments of a store in order."""

    def __init__(self, path, received):
        self.path, self.received = path, received
        self.identity = read_identity(file_bytes(path, "IDENTITY"))
        self.manifest = read_manifest(file_bytes(path, "MANIFEST"))
        require(self.manifest.log == self.identity.log, "MANIFEST and IDENTITY are of different logs")
        self.notes = []
        self.lsn = 0
        self.link = 0
        self.clock = 0
        self.segments = self.named_segments()

    def named_segments(self):
        names = {}
        for name in os.listdir(os.path.join(self.path, "log")):
            require(len(name) == 37 and name.endswith(".seg") and name[16] == "-", f"log/{name} is no segment's name")
            names[int(name[:16], 16)] = (name, int(name[17:33], 16))
        first, last = self.manifest.first, self.manifest.last
        if last + 1 in names:
            last += 1
        require(sorted(names) == list(range(first, last + 1)), f"segments {sorted(names)} where {first} to {last} belong")
        return [(ordinal, *names[ordinal]) for ordinal in range(first, last + 1)]

    def scan(self):
        previous = None
        for place, (ordinal, name, first_lsn) in enumerate(self.segments):
            segment = SegmentFile(file_bytes(self.path, "log", name), b"STRDSEG1", name)
            require((segment.dataset, segment.log) == (self.identity.dataset, self.identity.log), f"{name}: of another log")
            require((segment.ordinal, segment.first_lsn) == (ordinal, first_lsn), f"{name}: header and name differ")
            if previous is None:
                require(segment.predecessor == 0 or ordinal > 1, f"{name}: a first segment with a predecessor")
                self.lsn, self.link = first_lsn - 1, segment.predecessor_link
            else:
                claimed = segment.predecessor, segment.predecessor_end, segment.predecessor_link
                require(claimed == (*previous, self.link), f"{name}: predecessor {claimed}, found {(*previous, self.link)}")
                require(first_lsn == self.lsn + 1, f"{name}: begins at LSN {first_lsn} behind {self.lsn}")
            previous = (ordinal, self.scan_segment(segment, place == len(self.segments) - 1))

    def scan_segment(self, segment, last):
        footer = segment.footer()
        end = self.manifest.ends.get(segment.ordinal)
        at, number, stop, index = FRAMES, 1, 0, None
        while footer is None or at < footer[1]:
            if end is not None and at >= end:
                break
            if footer and footer[1] == align(stop, UNIT) and stop:
                break
            frames = segment.group(at, number, self.link)
            if frames is None:
                break
            for frame in frames:
                self.take(segment, frame, first=number == 1)
                self.link = frame.checksum
            if frames[-1].type == INDEX:
                index = frames[-1].at
            stop = frames[-1].at + HEADER + frames[-1].stored
            at, number = align(stop, PAGE), number + 1
        require(number > 1, f"{segment.name}: no first index frame")
        if footer:
            require(footer == (index, align(stop, UNIT), self.lsn, number - 1, self.link), f"{segment.name}: footer {footer}")
            require(len(segment.data) == footer[1] + 64, f"{segment.name}: bytes between the index and the footer")
        elif not last:
            require(end is not None and end <= at, f"{segment.name}: not sealed, without a noted end, and not the last")
        for mark in segment.watermarks():
            require(mark.end <= at, f"{segment.name}: a watermark at {mark.end} and valid frames up to {at}")
        verdict = self.verdict(segment, at, stop, end, footer)
        require(not verdict.startswith("corrupt"), f"{segment.name} at {at}: {verdict}")
        self.notes.append(f"segment {segment.ordinal}: {number - 1} groups, end {stop}, {verdict}"
                          + (", sealed" if footer else ""))
        return at

    def verdict(self, segment, at, stop, end, footer):
        """The evidence of section 4.9; X is `at`."""
        if end is not None and end <= at:
            return "clean end (noted)"
        data, marks = segment.data, segment.watermarks()
        broken = segment.header(at)
        torn = broken is not None and segment.frame(at) is not None
        for place in range(align(at + 1, UNIT), len(data), UNIT):
            found = segment.header(place)
            if found is None:
                continue
            if found.durable > self.lsn:
                return "corrupt: a later frame knew lost transactions durable"
            if broken is None or found.group > broken.group:
                return "corrupt: a valid frame behind an invalid group"
        clean = bool(marks) and marks[-1].clean and align(marks[-1].end, PAGE) == at
        if not any(data[at:]) and len(data) > at or footer or clean and not any(data[at:]):
            return "clean end"
        if len(data) <= at:
            return "tail uncertain: the file was cut"
        if any(data[align(at + GROUP + 4096, PAGE):]):
            return "corrupt: bytes far behind the end"
        if clean:
            return "junk behind a clean end"
        return "torn" if torn else "tail uncertain"

    # Frames

    def take(self, segment, frame, first):
        where = f"{segment.name} at {frame.at}"
        require(frame.lsn == self.lsn + 1, f"{where}: LSN {frame.lsn} behind {self.lsn}")
        require(frame.durable <= self.lsn, f"{where}: knew {frame.durable} durable before it was written")
        require(not first or frame.type == INDEX, f"{where}: the first frame is no index")
        body = Bytes(frame.body)
        before = self.lsn
        if frame.type == BATCH:
            self.batch(body)
        elif frame.type == PART:
            self.part(body, self.received)
        elif frame.type == STAGE:
            self.stage(body)
        elif frame.type == CONTROL:
            self.control(body)
        elif frame.type == INDEX:
            self.index(body, seeks=not first, where=where)
        elif frame.type == BASELINE:
            raise NeedsNewer(f"{where}: a baseline, which this reader does not read from a log")
        require(self.lsn - before == frame.ends, f"{where}: {self.lsn - before} transactions where {frame.ends} should end")

    def arrived(self, transaction):
        self.lsn += 1
        self.received.add(transaction, self.lsn)

    def batch(self, body):
        if (version := body.u8()) != 1:
            raise NeedsNewer(f"a batch body of version {version}")
        origin, first, count = body.id(), body.varint(), body.varint()
        before, after = body.id(), body.id()
        require(first > 0 and 0 < count <= body.left(), "a batch without transactions")
        chain = before
        for sequence in range(first, first + count):
            transaction = Transaction(origin, sequence, chain, [body.take(body.varint())])
            chain = transaction.chain
            self.arrived(transaction)
        body.finish("a batch")
        require(chain == after, "a batch whose chain is another than it says")

    def part(self, body, _):
        transaction = self.collect(body)
        if transaction:
            self.arrived(transaction)

    parts, parts_of = (), None

    def collect(self, body):
        """Adds a part; the transaction when it was the last."""
        if (version := body.u8()) != 1:
            raise NeedsNewer(f"a part body of version {version}")
        origin, sequence, number, last = body.id(), body.varint(), body.varint(), body.u8()
        before, after = body.id(), body.id()
        require(last < 2 and (last == 1 or after == ZERO), "a part that is not the last and has a chain")
        if number == 0:
            self.parts, self.parts_of = [], (origin, sequence, before)
        require(self.parts_of == (origin, sequence, before) and number == len(self.parts), "a part out of its order")
        self.parts.append(body.rest())
        require(len(self.parts[-1]) <= 1 << 20, "a part above 1 MiB")
        if not last:
            return None
        transaction = Transaction(origin, sequence, before, self.parts)
        require(transaction.chain == after, "parts whose chain is another than they say")
        self.parts, self.parts_of = (), None
        return transaction

    def stage(self, body):
        if (version := body.u8()) != 1:
            raise NeedsNewer(f"a stage commit of version {version}")
        origin, sequence, before, after = body.id(), body.varint(), body.id(), body.id()
        timestamp, parts, length = body.u64(), body.varint(), body.varint()
        body.finish("a stage commit")
        name = f"{origin.hex()}-{sequence:016x}-{after.hex()}.stage"
        data = file_bytes(self.path, "staged", name)
        require(len(data) == length, f"{name}: {len(data)} bytes where the log says {length}")
        file = SegmentFile(data, b"STRDSTG1", name)
        require((file.dataset, file.log, file.ordinal, file.first_lsn) ==
                (self.identity.dataset, self.identity.log, 0, 0), f"{name}: header")
        frames = file.group(PAGE, None, 0, limit=None)
        require(frames is not None and len(frames) == parts, f"{name}: its frames")
        transaction = None
        for frame in frames:
            require(frame.type == PART and transaction is None, f"{name}: its parts")
            transaction = self.collect(Bytes(frame.body))
        require(transaction is not None, f"{name}: no last part")
        require((transaction.origin, transaction.sequence, transaction.before, transaction.chain, transaction.timestamp) ==
                (origin, sequence, before, after, timestamp), f"{name}: another transaction than the log says")
        self.arrived(transaction)

    def control(self, body):
        while body.left():
            kind, record = body.u8(), Bytes(body.take(body.varint()))
            if kind == 3:
                self.clock = max(self.clock, record.varint())
            elif kind in (1, 2):
                branch, position = self.branch(record), self.position(record)
                timestamp, after = record.u64(), record.u64()
                self.received.hold(branch, position, timestamp, after, release=kind == 2)
            elif kind == 4:
                branch, position = self.branch(record), self.position(record)
                self.received.fork(branch, position, record.u64(), record.id(), record.id())
            elif kind & 0x80:
                continue
            else:
                raise NeedsNewer(f"a control record of kind {kind}")
            record.finish(f"a control record of kind {kind}")

    def branch(self, body):
        return body.id(), body.varint(), body.id()

    def position(self, body):
        return body.varint(), body.id()

    def index(self, body, seeks, where):
        if (version := body.u8()) != 1:
            raise NeedsNewer(f"an index of version {version}")
        clock = body.varint()
        require(clock == self.clock or self.lsn == 0 or clock >= self.clock, f"{where}: clock {clock}, known {self.clock}")
        self.clock = max(clock, self.clock)
        count = body.count(2)
        require(seeks or count == 0, f"{where}: seeks in a first index")
        for _ in range(count):
            body.varint(), body.varint()
        entries = []
        for _ in range(body.count(100)):
            entries.append((self.branch(body), body.varint(), body.id(), body.u8(), self.position(body), body.u64(),
                            self.position(body), body.u64(), body.u64(), body.varint()))
        body.finish("an index")
        self.received.compare(entries, where)
