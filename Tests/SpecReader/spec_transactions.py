"""Transactions, their changes and chains: SPEC.md section 3."""

import hashlib

from spec_bytes import Bytes, Malformed, NeedsNewer, require, signed, u64, xxh128

BOOL, INT, DOUBLE, STRING, DATE, UUID, DATA, BLOB, REFERENCE, COUNTER, EDGES = range(1, 12)
TYPES = ["", "bool", "int", "double", "string", "date", "uuid", "data", "blob", "reference", "counter", "edges"]
ABSENT = object()
MOST_VALUES = 262_144
BLOB_CHUNK = 524_288


def root_chain(dataset, origin):
    return xxh128(b"strandline-chain-1" + dataset + origin)


def next_chain(chain, parts):
    return xxh128(chain + b"".join(xxh128(part) for part in parts))


def blob_id(data):
    chunks = [data[at:at + BLOB_CHUNK] for at in range(0, len(data), BLOB_CHUNK)]
    return hashlib.sha256(
        b"strandline-blob-1" + u64(len(data)) + b"".join(hashlib.sha256(chunk).digest() for chunk in chunks)).digest()


class Transaction:
    """Origins in changes are ids; None is the transaction's own."""

    def __init__(self, origin, sequence, before, parts):
        self.origin, self.sequence, self.before = origin, sequence, before
        self.chain = next_chain(before, parts)
        self.changes = []
        self.unreadable = None
        first = Bytes(parts[0])
        flags = first.u8()
        if flags & ~1:
            raise NeedsNewer(f"transaction flags {flags:#x}")
        self.void = flags == 1
        self.timestamp = first.u64()
        self.author = first.string(limit=1024)
        self.context = []
        for _ in range(first.count(33, limit=10_000)):
            self.context.append((first.id(), first.varint(), first.id()))
        names = [entry[0] for entry in self.context]
        require(names == sorted(set(names)), "a context that does not ascend")
        require(origin not in names, "a context that names its own origin")
        require(not self.void or len(parts) == 1, "a void transaction of several parts")
        try:
            for number, part in enumerate(parts):
                reader = first if number == 0 else Bytes(part)
                if number and (flags := reader.u8()) != 2:
                    raise NeedsNewer(f"part flags {flags:#x}")
                self.changes += Part(reader, self).changes
        except NeedsNewer as error:
            self.unreadable = str(error)
        require(not self.void or (not self.changes and first.at == len(parts[0])), "a void transaction with content")


class Part:
    """The content of one part: its tables, then its groups."""

    def __init__(self, reader, transaction):
        self.reader, self.transaction = reader, transaction
        self.changes = []
        self.values_left = MOST_VALUES
        self.origins = [None] + [reader.id() for _ in range(reader.count(16, limit=10_000))]
        self.entities = [reader.string(limit=255) for _ in range(reader.count(1))]
        self.columns = []
        for _ in range(reader.count(3)):
            entity, name, type = reader.varint(), reader.string(limit=255), reader.u8()
            require(entity < len(self.entities), "a column of an entity that is not listed")
            if not 1 <= type <= EDGES:
                raise NeedsNewer(f"type {type}")
            self.columns.append((entity, name, type))
        for table in (self.origins, self.entities, self.columns):
            require(len(table) == len(set(table)), "a table that lists something twice")
        if transaction.void:
            require(len(self.origins) == 1 and not self.entities and not self.columns, "a void transaction with tables")
        while reader.left():
            kind = reader.u8()
            self.group(kind, Bytes(reader.take(reader.varint())))

    def group(self, kind, body):
        known = {1: self.insert, 2: self.update, 3: self.delete, 4: self.restore, 5: self.edge, 6: self.increment,
                 7: self.schema, 8: self.rename, 137: self.undo}
        if kind not in known:
            self.spend(1)
            if kind & 0x80:
                return
            raise NeedsNewer(f"change group of kind {kind}")
        known[kind](body)
        body.finish(f"a group of kind {kind}")

    def spend(self, values):
        self.values_left -= values
        require(self.values_left >= 0, "a part that describes more than 262,144 values")

    # Kinds

    def entity_head(self, body):
        entity, n = body.varint(), body.varint()
        require(entity < len(self.entities), "an entity that is not listed")
        require(1 <= n <= MOST_VALUES, f"a group of {n} changes")
        return entity, n

    def column_head(self, body, type):
        column, n = body.varint(), body.varint()
        require(column < len(self.columns), "a column that is not listed")
        require(self.columns[column][2] == type, f"a column that is not of type {TYPES[type]}")
        require(1 <= n <= MOST_VALUES, f"a group of {n} changes")
        self.spend(n)
        return self.columns[column], n

    def group_columns(self, body, entity, n, weight):
        k = body.count(1)
        self.spend(n * (k * weight + 1))
        seen = set()
        for _ in range(k):
            number = body.varint()
            require(number < len(self.columns), "a column that is not listed")
            require(number not in seen, "a column twice in a group")
            seen.add(number)
            owner, name, type = self.columns[number]
            require(owner == entity, "a column of another entity")
            require(type != EDGES, "values of a column of edges")
            yield name, type

    def insert(self, body):
        entity, n = self.entity_head(body)
        indexes = self.indexes(body, n)
        require(all(a < b for a, b in zip(indexes, indexes[1:])), "indexes that do not ascend")
        rows = [{} for _ in range(n)]
        for column in self.group_columns(body, entity, n, 1):
            for row, value in zip(rows, self.values(body, n, column[1])):
                row[column] = value
        for index, row in zip(indexes, rows):
            self.changes.append(("insert", self.entities[entity], (None, self.transaction.sequence, index), 1, row))

    def update(self, body):
        entity, n = self.entity_head(body)
        objects, lengths = self.objects(body, n), self.lengths(body, n, odd=True)
        rows = [{} for _ in range(n)]
        for column in self.group_columns(body, entity, n, 2):
            new = self.values(body, n, column[1])
            old = self.values(body, n, column[1])
            stamps = self.stamps(body, n)
            for row, value, before, stamp in zip(rows, new, old, stamps):
                require(stamp is not None or before is None, "an old value without its stamp")
                row[column] = (value, ABSENT if stamp is None else before, stamp)
        for object, length, row in zip(objects, lengths, rows):
            self.changes.append(("update", self.entities[entity], object, length, row))

    def delete(self, body):
        self.whole_rows(body, "delete")

    def restore(self, body):
        self.whole_rows(body, "restore")

    def whole_rows(self, body, kind):
        entity, n = self.entity_head(body)
        objects, lengths = self.objects(body, n), self.lengths(body, n, odd=kind == "restore")
        rows = [{} for _ in range(n)]
        for column in self.group_columns(body, entity, n, 1):
            values = self.values(body, n, column[1])
            for row, value, present in zip(rows, values, self.presence(body, n)):
                require(present or value is None, "a value in a row that has none")
                if present:
                    row[column] = value
        for object, length, row in zip(objects, lengths, rows):
            self.changes.append((kind, self.entities[entity], object, length, row))

    def edge(self, body):
        column, n = self.column_head(body, EDGES)
        owners, targets = self.objects(body, n), self.objects(body, n)
        owner_lengths, lengths = self.lengths(body, n, odd=True), self.lengths(body, n, odd=None)
        for owner, target, owner_length, length in zip(owners, targets, owner_lengths, lengths):
            self.changes.append(("edge", self.entities[column[0]], owner, owner_length, (column[1], target, length)))

    def increment(self, body):
        column, n = self.column_head(body, COUNTER)
        objects, lengths = self.objects(body, n), self.lengths(body, n, odd=True)
        additions, seen = self.ints(body, n), self.ints(body, n)
        for object, length, addition, before in zip(objects, lengths, additions, seen):
            change = (column[1], signed(addition), signed(before))
            self.changes.append(("increment", self.entities[column[0]], object, length, change))

    def schema(self, body):
        self.spend(1)
        self.changes.append(("schema", *schema_record(body)))

    def rename(self, body):
        self.spend(1)
        self.changes.append(("rename", body.id()))

    def undo(self, body):
        self.spend(1)
        origin, sequence = body.id(), body.varint()
        require(0 < sequence < 1 << 62, "an undo of no transaction")
        self.changes.append(("undo", origin, sequence))

    # Encodings of n values

    def ints(self, body, n):
        base, width = body.zigzag(), body.u8()
        require(width in (0, 1, 2, 4, 8), f"integers of {width} bytes")
        data = body.take(n * width)
        mask = (1 << 64) - 1
        return [base + int.from_bytes(data[i * width:(i + 1) * width], "little") & mask for i in range(n)]

    def indexes(self, body, n):
        values = self.ints(body, n)
        require(max(values) < 1 << 32, "an index above 32 bits")
        return values

    def lengths(self, body, n, odd):
        values = self.ints(body, n)
        for length in values:
            require(0 < length < 1 << 32, f"a causal length of {length}")
            require(odd is None or length % 2 == odd, f"a causal length of {length}")
        return values

    def bits(self, body, n):
        data = body.take((n + 7) // 8)
        require(n % 8 == 0 or data[-1] >> n % 8 == 0, "unused bits that are set")
        return [data[i // 8] >> i % 8 & 1 == 1 for i in range(n)]

    def presence(self, body, n):
        form = body.u8()
        if form == 2:
            rows = self.bits(body, n)
            require(0 < sum(rows) < n, "a presence whose rows do not differ")
            return rows
        require(form < 2, f"presence {form}")
        return [form == 0] * n

    def replicas(self, body, n):
        form = body.u8()
        require(form < 2, f"replicas of form {form}")
        numbers = [body.varint()] * n if form == 0 else [body.varint() for _ in range(n)]
        require(form == 0 or len(set(numbers)) > 1, "replica numbers that do not differ")
        require(max(numbers) < len(self.origins), "an origin that is not listed")
        return [self.origins[number] for number in numbers]

    def objects(self, body, n):
        replicas, sequences = self.replicas(body, n), self.ints(body, n)
        require(min(sequences) > 0, "an object of sequence 0")
        return list(zip(replicas, sequences, self.indexes(body, n)))

    def stamps(self, body, n):
        present = self.presence(body, n)
        m = sum(present)
        if m == 0:
            return [None] * n
        timestamps = self.ints(body, m)
        found = iter(zip(timestamps, self.replicas(body, m)))
        return [next(found) if here else None for here in present]

    def values(self, body, n, type):
        present = self.presence(body, n)
        m = sum(present)
        found = iter(self.filled(body, m, type) if m else [])
        return [next(found) if here else None for here in present]

    def filled(self, body, m, type):
        if type == BOOL:
            return self.bits(body, m)
        if type in (INT, COUNTER):
            return [signed(value) for value in self.ints(body, m)]
        if type in (DOUBLE, DATE):
            return [body.f64() for _ in range(m)]
        if type in (STRING, DATA):
            counts = self.ints(body, m)
            require(sum(counts) <= body.left(), "strings longer than their group")
            rows = [body.take(count) for count in counts]
            return [utf8(row) for row in rows] if type == STRING else rows
        if type == UUID:
            return [body.take(16) for _ in range(m)]
        if type == REFERENCE:
            return self.objects(body, m)
        return [self.blob(body) for _ in range(m)]

    def blob(self, body):
        id, length, form = body.take(32), body.varint(), body.u8()
        require(form < 2, f"a blob of form {form}")
        if form == 0:
            return id, length, None
        require(length <= 65_536, "an inline blob above 64 KiB")
        data = body.take(length)
        require(blob_id(data) == id, "an inline blob that is not what its id says")
        return id, length, data


def utf8(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("a string that is not UTF-8")


def schema_record(body):
    """(entity, version, key, fields): section 3.4."""
    entity, version = body.string(limit=255), body.varint()
    require(version < 1 << 32, "a schema version above 32 bits")
    key = tuple(body.string(limit=255) for _ in range(body.count(1)))
    fields = []
    for _ in range(body.count(1)):
        field = Bytes(body.take(body.varint()))
        name, type, flags = field.string(limit=255), field.u8(), field.u8()
        if not 1 <= type <= EDGES:
            raise NeedsNewer(f"type {type}")
        if flags & ~7:
            raise NeedsNewer(f"field flags {flags:#x}")
        relationship = None
        if flags & 4:
            target, inverse = field.string(limit=255), field.string(limit=255)
            many, rule, storage = field.u8(), field.u8(), field.u8()
            if many > 1 or rule > 3 or storage > 3:
                raise NeedsNewer(f"relationship flags {many:#x}, delete rule {rule} or storage {storage}")
            relationship = (target, inverse, many & 1 == 1, rule, storage)
        fields.append((name, type, flags & 1 == 1, flags & 2 == 2, relationship))
    return entity, version, key, tuple(fields)
