"""The program as it was recorded; each node runs itself on a Run."""

from .error import KernelError
from .expr import integer


class Do:
    """action(run), as it was recorded at `site`."""

    def __init__(self, site, action):
        self.site, self.run = site, action


class Scope:
    """Statements whose tensors end with them."""

    def __init__(self, site=None):
        self.body, self.site = [], site

    def run(self, run):
        with run.scope():
            for node in self.body:
                run.site = node.site
                node.run(run)


class If(Scope):

    def __init__(self, condition, site):
        super().__init__(site)
        self.condition, self.otherwise = condition, None

    def run(self, run):
        if self.condition.evaluate(run):
            super().run(run)
        elif self.otherwise is not None:
            self.otherwise.run(run)


class For(Scope):

    def __init__(self, variable, begin, end, thread_num, block_num, site):
        super().__init__(site)
        self.variable, self.begin, self.end = variable, begin, end
        self.thread_num, self.block_num = thread_num, block_num

    def run(self, run):
        begin = integer(self.begin, run, "begint", self.site)
        end = integer(self.end, run, "endt", self.site)
        blocks = integer(self.block_num, run, "block_num", self.site)
        if blocks > 1 or not isinstance(self.block_num, int):
            if (begin, end) != (0, blocks):
                raise KernelError(f"block_num is {blocks}, the loop goes from {begin} to {end}; it must go from 0 to "
                                  "block_num", self.site)
            run.set_blocks(blocks, self.site)
            begin, end = run.block, min(run.block + 1, blocks)
        for value in range(begin, end):
            run.variables[self.variable] = value
            with run.turn(self.thread_num, (value - begin) % self.thread_num):
                super().run(run)
