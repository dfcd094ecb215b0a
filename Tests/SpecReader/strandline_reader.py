#!/usr/bin/env python3
"""Reads a Strandline store as SPEC.md describes it, with no part of the engine.

    strandline_reader.py [--details] STORE

Checks every rule of the format, and prints every transaction with its changes, what waits, the digests and the history token;
with --details also where each segment ends and which blobs are here. Exit 1 when a rule is broken.
Needs the packages lz4 and xxhash.
"""

import base64
import os
import sys

from spec_branches import Received
from spec_bytes import Malformed, NeedsNewer, require, u64, varint, xxh128, xxh64
from spec_fold import State
from spec_log import Log, file_bytes, read_identity
from spec_transactions import (ABSENT, BLOB, BOOL, COUNTER, DATA, DATE, DOUBLE, INT, REFERENCE, STRING, UUID, blob_id)


def token(log, vector, is_whole):
    hint = log.identity.log + varint(log.lsn) + u64(log.link) if is_whole else bytes(16) + varint(0) + u64(0)
    body = b"\1" + log.identity.dataset + hint + varint(len(vector))
    for name in sorted(vector):
        sequence, chain = vector[name]
        body += name + varint(sequence) + chain
    return base64.urlsafe_b64encode(body + u64(xxh64(body))).decode().rstrip("=")


def shown_bytes(value):
    return f"{len(value)} bytes {xxh128(value).hex()}" if len(value) > 32 else value.hex()


def shown_text(value):
    data = value.encode()
    plain = len(data) <= 64 and all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in data)
    return f'"{value}"' if plain else "utf8 " + shown_bytes(data)


def shown_object(object):
    return f"{object[0].hex()}/{object[1]}.{object[2]}"


def shown_time(timestamp):
    return f"{timestamp >> 16}.{timestamp & 0xFFFF}"


def shown(value, type):
    if value in (None, ABSENT):
        return "null"
    if type == BOOL:
        return "true" if value else "false"
    if type in (INT, COUNTER):
        return str(value)
    if type in (DOUBLE, DATE):
        return f"bits {int.from_bytes(value, 'little')}"
    if type == STRING:
        return shown_text(value)
    if type == UUID:
        return value.hex()
    if type == DATA:
        return shown_bytes(value)
    if type == BLOB:
        return f"{value[0].hex()} {value[1]} {'file' if value[2] is None else 'inline'}"
    return shown_object(value)


class Listing:
    """One line for a transaction, one for each change and property."""

    def __init__(self, names):
        self.names = names

    def lines(self, t):
        yield f"{t.run.name.hex()} {t.sequence} at {shown_time(t.timestamp)} by {shown_text(t.author)} " \
              f"chain {t.chain.hex()}{' void' if t.void else ''}"
        for name, sequence, chain in t.context:
            yield f"  knows {name.hex()} {sequence} {chain.hex()}"
        if t.unreadable:
            yield f"  needs a newer version: {t.unreadable}"
        for change in t.changes:
            yield from self.change(t, change)

    def value(self, t, value, type):
        if type == REFERENCE and value not in (None, ABSENT):
            value = self.names.object(t, value)
        return shown(value, type)

    def schema(self, name, version, key, fields):
        yield f"  schema {name} version {version} key [{' '.join(key)}]"
        for name, type, optional, indexed, relationship in fields:
            line = f"    {name} {type}{' optional' * optional}{' indexed' * indexed}"
            if relationship:
                target, inverse, many, rule, storage = relationship
                line += f" to {'many ' * many}{target} inverse [{inverse}] rule {rule} storage {storage}"
            yield line

    def change(self, t, change):
        if change[0] == "schema":
            yield from self.schema(*change[1:])
            return
        if change[0] == "rename":
            yield f"  rename from {change[1].hex()}"
            return
        if change[0] == "undo":
            yield f"  undo of {self.names.object(t, (change[1], change[2], 0))[0].hex()} {change[2]}"
            return
        kind, entity, object, length, rest = change
        head = f"  {kind} {entity} {shown_object(self.names.object(t, object))} length {length}"
        if kind == "edge":
            name, target, edge = rest
            yield f"{head} {name} -> {shown_object(self.names.object(t, target))} length {edge}"
            return
        if kind == "increment":
            yield f"{head} {rest[0]} by {rest[1]} seen {rest[2]}"
            return
        yield head
        for (name, type), value in sorted(rest.items(), key=lambda item: (item[0][0].encode(), item[0][1])):
            if kind == "update":
                new, old, stamp = value
                seen = "absent"
                if stamp:
                    timestamp, origin = self.names.stamp(t, stamp)
                    seen = f"{self.value(t, old, type)} of {shown_time(timestamp)} {origin.hex()}"
                yield f"    {name} {type} = {self.value(t, new, type)} was {seen}"
            else:
                yield f"    {name} {type} = {self.value(t, value, type)}"


def held(received):
    """One line for each name of which something waits."""
    waiting = {}
    for t in received.in_order:
        if not t.applied:
            waiting.setdefault(t.run.name, []).append(t.sequence)
    for name in sorted(waiting):
        yield f"held {name.hex()} {min(waiting[name])} to {max(waiting[name])}"


def blobs(received):
    """(id, length) of every blob kept as a file."""
    found = set()
    for t in received.in_order:
        for change in t.changes:
            if change[0] in ("insert", "update", "delete", "restore"):
                for (_, type), value in change[4].items():
                    for one in value[:2] if change[0] == "update" else (value,):
                        if type == BLOB and one not in (None, ABSENT) and one[2] is None:
                            found.add(one[:2])
    return sorted(found)


def check_blobs(path, received):
    for id, length in blobs(received):
        name = id.hex()
        place = os.path.join(path, "blobs", name[:2], name)
        if not os.path.exists(place):
            yield f"blob {name} ({length} bytes) is not here"
            continue
        data = file_bytes(place)
        require(len(data) == length and blob_id(data) == id, f"{place} is not what its name says")
        yield f"blob {name} ({length} bytes) is here"


def report(path, details):
    received = Received(read_identity(file_bytes(path, "IDENTITY")).dataset)
    log = Log(path, received)
    log.scan()
    received.settle()
    state = State(received)
    state.see()
    names = Listing(state.names)
    for t in sorted((t for t in received.in_order if t.applied), key=lambda t: (t.run.name, t.sequence)):
        yield from names.lines(t)
    yield from held(received)
    found = list(check_blobs(path, received))
    if details:
        yield from log.notes
        yield from found
        yield f"{log.lsn} transactions; {len(state.members)} objects visible, {len(state.hidden)} hidden"
    yield f"state digest {state.digest().hex()}"
    yield f"content digest {state.content_digest().hex()}"
    yield f"token {token(log, state.vector, all(t.applied for t in received.in_order))}"


def main(arguments):
    paths = [argument for argument in arguments if argument != "--details"]
    if len(paths) != 1 or paths[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    try:
        lines = list(report(paths[0], "--details" in arguments))
    except (Malformed, NeedsNewer, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
