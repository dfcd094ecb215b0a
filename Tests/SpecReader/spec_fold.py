"""The state that a set of transactions means, and its digests: SPEC.md section 5."""

import struct

from spec_bytes import string, u32, u64, varint, xxh128
from spec_transactions import ABSENT, BLOB, BOOL, COUNTER, DATA, EDGES, REFERENCE, STRING, UUID, DATE, DOUBLE, INT

NULLIFY, CASCADE, DENY, NO_ACTION = range(4)
REGISTER = 0
NOT_HERE_YET, NULL, DANGLING = "not here yet", "null", "dangling"


def wrapped(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def object_bytes(object):
    return object[0] + u64(object[1]) + u32(object[2])


def value_bytes(value, type):
    if value is None:
        return b"\0"
    if type == BOOL:
        body = bytes([value])
    elif type in (INT, COUNTER):
        body = struct.pack("<q", value)
    elif type in (DOUBLE, DATE, UUID):
        body = value
    elif type in (STRING, DATA):
        body = string(value)
    elif type == BLOB:
        body = value[0] + u64(value[1])
    else:
        body = object_bytes(value)
    return bytes([type]) + body


class Names:
    """What the origin ids inside transactions mean now (5.8)."""

    def __init__(self, received):
        self.received = received
        self.by_chain = received.by_chain
        self.contexts = {}
        self.runs = {run.name: run for run in received.runs}

    def context(self, t):
        known = self.contexts.get(t.chain)
        if known is None:
            known = self.context(t.parent) if t.parent else {}
            if t.context:
                known = {**known, **{name: (sequence, chain) for name, sequence, chain in t.context}}
            self.contexts[t.chain] = known
        return known

    def name(self, t, id, sequence):
        if id is None:
            return self.on_path(t.run, sequence)
        entry = self.context(t).get(id)
        if entry is None:
            return id
        found = self.by_chain.get(entry[1])
        if found and sequence <= entry[0]:
            return self.on_path(found.run, sequence)
        run = self.runs.get(id)
        if run is None:
            return id
        if not any(other.parent is run and other.first <= sequence for other in self.received.runs):
            return self.on_path(run, sequence)
        return xxh128(b"strandline-unresolved-1" + id + u64(entry[0]) + entry[1])

    def on_path(self, run, sequence):
        while run.parent and sequence < run.first:
            run = run.parent
        return run.name

    def object(self, t, object):
        return self.name(t, object[0], object[1]), object[1], object[2]

    def stamp(self, t, stamp):
        """An old stamp: the transaction with this timestamp on the path that its origin id means."""
        timestamp, id = stamp
        if id is None:
            here = t
        else:
            entry = self.context(t).get(id)
            here = self.by_chain.get(entry[1]) if entry else None
        if here is None:
            return timestamp, id
        while here.timestamp > timestamp and here.parent:
            here = here.parent
        return timestamp, here.run.name


class Object:
    def __init__(self):
        self.births = {}        # length: least (timestamp, entity)
        self.length = 0
        self.registers = {}     # (name, type): {length: (stamp, explicit, value)}
        self.counters = {}      # name: {length: {origin: sum}}
        self.edges = {}         # (name, target): {owner length: length}

    def register(self, column):
        held = self.registers.get(column, {}).get(self.length)
        return held if held else None

    def columns(self):
        return {column for column, held in self.registers.items() if self.length in held}


class State:
    def __init__(self, received):
        self.names = Names(received)
        self.vector = received.applied_vector()
        self.objects = {}
        self.schema = {}        # entity: {"fields": {(name, type): (rank, field)}, "key": (rank, key)}
        stopped = set()
        for t in received.in_order:
            if t.applied and t.unreadable:
                stopped.add(t.run.name)
            if t.applied and t.run.name not in stopped:
                self.apply(t)
        for id, object in self.objects.items():
            if object.length == 0 and id[1] <= self.vector.get(id[0], (0,))[0]:
                object.length = 2

    # Applying

    def at(self, id):
        return self.objects.setdefault(id, Object())

    def apply(self, t):
        stamp = (t.timestamp, t.run.name)
        for change in t.changes:
            kind = change[0]
            if kind == "schema":
                self.declare(stamp, *change[1:])
            elif kind not in ("rename", "undo"):
                _, entity, id, length, rest = change
                object = self.at(self.names.object(t, id))
                getattr(self, kind)(t, stamp, object, entity, length, rest)

    def declare(self, stamp, entity, version, key, fields):
        known = self.schema.setdefault(entity, {"fields": {}, "key": ((-1, ()), ())})
        rank = (version, stamp)
        if rank >= known["key"][0]:
            known["key"] = (rank, key)
        for field in fields:
            held = known["fields"].get(field[:2])
            if held is None or rank >= held[0]:
                known["fields"][field[:2]] = (rank, field)

    def write(self, t, stamp, object, column, length, explicit, value):
        if column[1] == REFERENCE and value is not None:
            value = self.names.object(t, value)
        held = object.registers.setdefault(column, {})
        if length not in held or stamp >= held[length][0]:
            held[length] = (stamp, explicit, value)

    def born(self, stamp, object, entity, length):
        birth = (stamp[0], entity.encode())
        object.births[length] = min(object.births.get(length, birth), birth)
        object.length = max(object.length, length)

    def insert(self, t, stamp, object, entity, length, row):
        self.born(stamp, object, entity, length)
        for column, value in row.items():
            self.write(t, stamp, object, column, length, False, value)

    restore = insert

    def update(self, t, stamp, object, entity, length, row):
        for column, (value, _, _) in row.items():
            self.write(t, stamp, object, column, length, True, value)

    def delete(self, t, stamp, object, entity, length, row):
        object.length = max(object.length, length)

    def edge(self, t, stamp, object, entity, owner_length, rest):
        name, target, length = rest
        held = object.edges.setdefault((name, self.names.object(t, target)), {})
        held[owner_length] = max(held.get(owner_length, 0), length)

    def increment(self, t, stamp, object, entity, length, rest):
        name, addition, _ = rest
        sums = object.counters.setdefault(name, {}).setdefault(length, {})
        sums[stamp[1]] = wrapped(sums.get(stamp[1], 0) + addition)

    # The state digest (5.10)

    def digest(self):
        total = 0
        for entry in self.digest_entries():
            total += int.from_bytes(xxh128(entry), "big")
        return (total % (1 << 128)).to_bytes(16, "big")

    def digest_entries(self):
        for id, object in self.objects.items():
            this = object_bytes(id)
            if object.length % 2:
                timestamp, entity = object.births[object.length]
                yield b"O" + this + string(entity) + u32(object.length) + u64(timestamp)
            for (name, type), held in object.registers.items():
                for length, (stamp, explicit, value) in held.items():
                    if length >= object.length:
                        yield (b"R" + this + u32(length) + string(name) + bytes([type, explicit]) + u64(stamp[0])
                               + stamp[1] + value_bytes(value, type))
            for name, held in object.counters.items():
                for length, sums in held.items():
                    for origin, total in sums.items() if length >= object.length else ():
                        yield b"C" + this + u32(length) + string(name) + origin + struct.pack("<q", total)
            for (name, target), held in object.edges.items():
                for owner_length, length in held.items():
                    if length % 2 and owner_length >= object.length:
                        yield b"E" + this + u32(owner_length) + string(name) + object_bytes(target) + u32(length)

    # What is visible (5.6, 5.7)

    def entity(self, object):
        return object.births[object.length][1].decode()

    def field(self, entity, column):
        found = self.schema.get(entity, {"fields": {}})["fields"].get(column)
        return found[1] if found else None

    def inverse(self, entity, field):
        """The inverse of a field with a relationship."""
        target, named = field[4][0], field[4][1]
        fields = self.schema.get(target, {"fields": {}})["fields"]
        for _, candidate in (fields[column] for column in sorted(fields, key=lambda c: (c[0].encode(), c[1]))):
            if candidate[4] is None:
                continue
            if named and candidate[0] == named or candidate[4][0] == entity and candidate[4][1] == field[0]:
                return candidate
        return None

    def rule(self, entity, column):
        field = self.field(entity, column)
        inverse = self.inverse(entity, field) if field and field[4] else None
        return inverse[4][3] if inverse else NULLIFY

    def see(self):
        """Finds hidden objects, then those that are one by their key."""
        owners = {}
        for id, object in self.objects.items():
            if object.length % 2 == 0:
                continue
            entity = self.entity(object)
            for column in object.columns():
                field = self.field(entity, column)
                if column[1] == REFERENCE and field and field[4] and field[4][4] == REGISTER \
                        and self.rule(entity, column) == CASCADE and object.register(column)[2] is not None:
                    owners.setdefault(id, []).append(object.register(column)[2])
        hidden, found = set(), True
        while found:
            found = {id for id, of in owners.items() if id not in hidden and any(self.gone(owner, hidden) for owner in of)}
            hidden |= found
        self.hidden = hidden
        self.visible = {id for id, object in self.objects.items() if object.length % 2 and id not in hidden}
        self.unite()

    def gone(self, owner, hidden):
        length = self.length(owner)
        return length % 2 == 0 and length != 0 or owner in hidden

    def length(self, id):
        if id in self.objects:
            return self.objects[id].length
        return 2 if id[1] <= self.vector.get(id[0], (0,))[0] else 0

    def unite(self):
        groups = {}
        for id in self.visible:
            object = self.objects[id]
            entity = self.entity(object)
            names = self.schema.get(entity, {"key": (None, ())})["key"][1]
            if not names:
                continue
            key = [entity]
            for name in names:
                held = [(object.register(column), column[1]) for column in object.columns() if column[0] == name]
                held = [h for h in held if h[0][2] is not None]
                if not held:
                    break
                best = max(held, key=lambda h: (h[0][0], h[1]))
                key.append(value_bytes(best[0][2], best[1]))
            else:
                groups.setdefault(tuple(key), []).append(id)
        self.members = {id: [id] for id in self.visible}
        self.representative = {id: id for id in self.visible}
        for group in groups.values():
            first = min(group, key=lambda id: (self.objects[id].births[self.objects[id].length][0], id))
            for id in group:
                self.representative[id] = first
                del self.members[id]
            self.members[first] = sorted(group)

    def resolved(self, entity, column, target):
        if target is None:
            return NULL
        if target in self.visible:
            return self.representative[target]
        if self.length(target) == 0:
            return NOT_HERE_YET
        return NULL if self.rule(entity, column) in (NULLIFY, CASCADE) else DANGLING

    def held(self, representative, column):
        """The register that holds for a group (5.7)."""
        members = [(id, self.objects[id]) for id in self.members[representative]]
        held = [(object.register(column), id) for id, object in members if object.register(column)]
        return max(held, key=lambda h: (h[0][1], h[0][0], h[1]))[0]

    def one_to_one(self, entity, column):
        field = self.field(entity, column)
        if not (field and field[4] and field[4][4] == REGISTER):
            return False
        inverse = self.inverse(entity, field)
        return inverse is not None and not inverse[4][2]

    def holders(self):
        """(entity, column, target): the object whose one-to-one reference is read, the one written last."""
        found = {}
        for representative, members in self.members.items():
            entity = self.entity(self.objects[representative])
            for column in {column for id in members for column in self.objects[id].columns()}:
                if column[1] != REFERENCE or not self.one_to_one(entity, column):
                    continue
                stamp, _, value = self.held(representative, column)
                if value in self.visible:
                    place = (entity, column, self.representative[value])
                    found[place] = max(found.get(place, (stamp, representative)), (stamp, representative))
        return {place: representative for place, (_, representative) in found.items()}

    # The content digest (5.10)

    def content_order(self):
        def place(id):
            object = self.objects[id]
            timestamp, entity = object.births[object.length]
            return entity, timestamp, id[1], id[2], id
        return sorted(self.members, key=place)

    def properties(self, representative, holders):
        """(name, type): value of one visible object; edges as a set of targets."""
        members = [(id, self.objects[id]) for id in self.members[representative]]
        entity = self.entity(self.objects[representative])
        found = {}
        for column in {column for _, object in members for column in object.columns()}:
            value = self.held(representative, column)[2]
            found[column] = self.resolved(entity, column, value) if column[1] == REFERENCE else value
            if holders.get((entity, column, found[column]), representative) != representative:
                found[column] = NULL
        for _, object in members:
            for name, held in object.counters.items():
                if object.length in held:
                    start = found.get((name, COUNTER))
                    found[(name, COUNTER)] = wrapped((start or 0) + sum(held[object.length].values()))
            for (name, target), held in object.edges.items():
                if held.get(object.length, 0) % 2 and target in self.visible:
                    found.setdefault((name, EDGES), set()).add(self.representative[target])
        return entity, found

    def content_digest(self):
        order = self.content_order()
        ordinals = {id: place + 1 for place, id in enumerate(order)}
        holders = self.holders()
        total = 0
        for id in order:
            entity, found = self.properties(id, holders)
            body = u64(ordinals[id]) + string(entity)
            for name, type in sorted(found, key=lambda c: (c[0].encode(), c[1])):
                value = found[(name, type)]
                body += string(name) + bytes([type])
                if type == REFERENCE:
                    body += bytes([REFERENCE]) + u64(ordinals.get(value, 0))
                elif type == EDGES:
                    body += varint(len(value)) + b"".join(u64(n) for n in sorted(ordinals[target] for target in value))
                else:
                    body += value_bytes(value, type)
            total += int.from_bytes(xxh128(body), "big")
        return (total % (1 << 128)).to_bytes(16, "big")
