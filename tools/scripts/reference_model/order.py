"""Flags and barriers of a core's queues, and which operations end before which start."""

QUEUES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")


def both_ways(*pairs):
    return {f"{a}_{b}" for a, b in pairs} | {f"{b}_{a}" for a, b in pairs}


EVENTS_N = both_ways(("MTE2", "MTE1"), ("MTE1", "M"), ("MTE2", "M"), ("MTE2", "MTE3"),
                     ("MTE1", "MTE3"), ("MTE2", "V"), ("MTE3", "V"), ("S", "V"),
                     ("S", "MTE2"), ("S", "MTE3"))
EVENTS_F = both_ways(("M", "FIX"), ("MTE1", "FIX"), ("MTE2", "FIX")) | {"FIX_MTE3"}
EVENTS_J = both_ways(("M", "V"), ("MTE1", "V")) | {"M_S"}
EVENTS = EVENTS_N | EVENTS_F | EVENTS_J | {"FIX_S"}
# Of each product with events: which, and how many ids.
FLAGS = {
    "atlas-a2": (EVENTS_N | EVENTS_F, 8),
    "atlas-a3": (EVENTS_N | EVENTS_F, 8),
    "atlas-200i-500-a2": (EVENTS, 8),
    "atlas-inference-aicore": (EVENTS_N | EVENTS_J, 8),
    "atlas-training": (EVENTS_N | EVENTS_J, 4),
}


class Order:
    """SYNC-HB as clocks: operations of p that started below done[q][p] have ended before
    what q starts next. Every barrier counts."""

    def __init__(self, product):
        self.events, self.ids = FLAGS.get(product, ((), 0))
        self.now = 0  # of the operation that comes next
        self.done = {q: dict.fromkeys(QUEUES, 0) for q in QUEUES}
        self.flags = {}

    def starts(self):
        """The time of an operation that starts."""
        self.now += 1
        return self.now - 1

    def is_before(self, pipe, time, queue):
        """Whether an operation has ended before the next one of a queue starts."""
        return self.done[queue][pipe] > time

    def barrier(self, pipe):
        for queue in QUEUES if pipe == "ALL" else [pipe]:
            for other in QUEUES if pipe == "ALL" else [pipe]:
                self.done[queue][other] = self.now

    def exists(self, flag):
        return flag[0] in self.events and 0 <= flag[1] < self.ids

    def set(self, flag):
        if self.exists(flag) and flag not in self.flags:
            source = flag[0].split("_")[0]
            self.flags[flag] = self.done[source] | {source: self.now}

    def wait(self, flag):
        if flag not in self.flags:
            return
        taken, destination = self.flags.pop(flag), flag[0].split("_")[1]
        for queue in QUEUES if destination == "S" else [destination]:
            for pipe in QUEUES:
                self.done[queue][pipe] = max(self.done[queue][pipe], taken[pipe])
