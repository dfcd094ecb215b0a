"""Forks, holds and names: SPEC.md sections 4.6 and 5.8."""

from spec_bytes import require, u64, xxh128
from spec_transactions import root_chain

ZERO = bytes(16)


class Branch:
    """A branch as the log writes it: (origin, first sequence, chain), ended by a fork or not."""

    def __init__(self, key, parent, before):
        self.key, self.parent = key, parent
        self.start = (key[1] - 1, before)           # the position it leaves its parent at
        self.transactions = []
        self.forked = False
        self.applied = key[1] - 1                   # the sequence up to which it is
        self.limit = None                           # a hold whose transactions have not come yet

    def last(self):
        if not self.transactions:
            return self.start
        return self.transactions[-1].sequence, self.transactions[-1].chain

    def waits(self):
        return self.applied < self.last()[0] or self.parent is not None and self.parent.waits()


class Run:
    """A stretch of one path under one name."""

    def __init__(self, name, first, parent):
        self.name, self.first, self.parent = name, first, parent
        self.transactions = []


class Received:
    """All transactions of a log, and which of them are applied."""

    def __init__(self, dataset):
        self.dataset = dataset
        self.by_chain, self.in_order = {}, []
        self.branches = {}

    # What the log says

    def add(self, t, lsn):
        t.lsn = lsn
        require(t.chain not in self.by_chain, f"transaction {t.sequence} of {t.origin.hex()} twice")
        if t.sequence == 1:
            require(t.before == root_chain(self.dataset, t.origin), f"chain before transaction 1 of {t.origin.hex()}")
            key = (t.origin, 1, ZERO)
            home = self.branches.get(key) or self.branches.setdefault(key, Branch(key, None, t.before))
            t.parent = None
        else:
            t.parent = self.by_chain.get(t.before)
            require(t.parent is not None and t.parent.origin == t.origin and t.parent.sequence == t.sequence - 1,
                    f"transaction {t.sequence} of {t.origin.hex()} extends nothing that is here")
            require(t.timestamp > t.parent.timestamp, f"timestamp of transaction {t.sequence} of {t.origin.hex()}")
            home = t.parent.branch
        if home.forked or home.last()[0] != t.sequence - 1:
            home = self.branches.get((t.origin, t.sequence, t.chain))
            require(home is not None, f"transaction {t.sequence} of {t.origin.hex()} forks without a fork record")
        t.branch = home
        if not home.waits() and (home.limit is None or t.sequence <= home.limit):
            home.applied = t.sequence
        home.transactions.append(t)
        self.by_chain[t.chain] = t
        self.in_order.append(t)

    def fork(self, key, position, timestamp, continuation, first):
        sequence, chain = position
        branch = self.named(key)
        behind = [t for t in branch.transactions if t.sequence > sequence]
        kept = [t for t in branch.transactions if t.sequence <= sequence]
        branch.transactions = kept
        require(branch.last() == position, "a fork at a position that is not on its branch")
        require((behind[0].chain if behind else ZERO) == continuation or branch.forked, "a fork of another continuation")
        branch.forked = True
        if continuation != ZERO:
            child = self.branches[(key[0], sequence + 1, continuation)] = Branch(
                (key[0], sequence + 1, continuation), branch, chain)
            child.transactions = behind
            for t in behind:
                t.branch = child
            child.applied, branch.applied = max(branch.applied, sequence), min(branch.applied, sequence)
            for other in self.branches.values():
                if other.parent is branch and other is not child and other.start[0] > sequence:
                    other.parent = child
        self.branches[(key[0], sequence + 1, first)] = Branch((key[0], sequence + 1, first), branch, chain)

    def named(self, key):
        """The branch of a control record; that of an origin of which nothing has arrived yet begins here."""
        if key not in self.branches:
            require(key[1:] == (1, ZERO), "a control record of an unknown branch")
            self.branches[key] = Branch(key, None, root_chain(self.dataset, key[0]))
        return self.branches[key]

    def hold(self, key, position, timestamp, after, release):
        branch = self.named(key)
        found = self.by_chain.get(position[1])
        require(found is None or found.timestamp == timestamp, "a hold whose timestamp is another")
        if not release:
            require(branch.applied <= position[0], "a hold of what is applied")
            branch.limit = position[0]
            return
        require(branch.applied < position[0] <= branch.last()[0], "a release of nothing that waits")
        require(position[0] < branch.last()[0] or after == 0, "a release of all that names a next timestamp")
        branch.applied, branch.limit = position[0], None

    def compare(self, entries, where):
        """An index frame lists exactly what was found by reading up to it."""
        if not self.branches and entries:
            require(False, f"{where}: branches in the index of an empty log")
        self.settle()
        keys = [entry[0] for entry in entries]
        require(sorted(keys) == sorted(self.branches), f"{where}: branches of the index")
        for entry in entries:
            key, parent, name, forked, last, last_time, applied, applied_time, after, lsn = entry
            branch = self.branches[key]
            mine = [keys.index(branch.parent.key) + 1 if branch.parent else 0, self.branch_name(branch),
                    int(branch.forked), branch.last(), self.time(branch.last())]
            require([parent, name, forked, last, last_time] == mine, f"{where}: branch {key[0].hex()} {key[1]}: {entry}, {mine}")
            position = self.applied_position(branch)
            behind = [t for t in branch.transactions if t.sequence > position[0]]
            require(applied == position, f"{where}: applied on {key[0].hex()} {key[1]}: {entry}, {position}")
            require(after <= behind[0].timestamp if behind else after == 0, f"{where}: next on {key[0].hex()} {key[1]}")
            if branch.parent is None or not branch.parent.waits():
                require(applied_time == self.time(position), f"{where}: timestamp on {key[0].hex()} {key[1]}: {entry}")

    def time(self, position):
        found = self.by_chain.get(position[1])
        return found.timestamp if found else 0

    def applied_position(self, branch):
        on = [t for t in branch.transactions if t.applied]
        return (on[-1].sequence, on[-1].chain) if on else branch.start

    def branch_name(self, branch):
        if branch.transactions:
            return branch.transactions[-1].run.name
        return branch.key[0]

    # What follows from it

    def settle(self):
        """Names of all that is here, and what is applied of it."""
        children, roots = {}, {}
        for t in self.in_order:
            if t.parent is None:
                roots.setdefault(t.origin, []).append(t)
            else:
                children.setdefault(t.parent.chain, []).append(t)
        self.runs = []
        for origin, first in roots.items():
            base = self.run(origin, 1, None)
            self.name_children(first, base)
        for t in self.in_order:
            for child_of in (children.get(t.chain, []),):
                if child_of:
                    self.name_children(child_of, t.run)
        for t in self.in_order:
            t.applied = t.sequence <= t.branch.applied

    def run(self, name, first, parent):
        run = Run(name, first, parent)
        self.runs.append(run)
        return run

    def name_children(self, transactions, run):
        for place, t in enumerate(sorted(transactions, key=lambda t: t.chain)):
            t.run = run
            if place:
                name = xxh128(b"strandline-fork-1" + run.name + u64(t.sequence) + t.chain)
                t.run = self.run(name, t.sequence, run)
            t.run.transactions.append(t)

    def applied_vector(self):
        """name: (sequence, chain) of the last applied transaction that has it."""
        vector = {}
        for t in self.in_order:
            if t.applied and t.sequence > vector.get(t.run.name, (0,))[0]:
                vector[t.run.name] = (t.sequence, t.chain)
        return vector
