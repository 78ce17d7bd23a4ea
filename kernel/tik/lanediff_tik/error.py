"""What ends a script: one line with the place, the problem and the expected value."""

# The status of a run that was left out, refused or wrongly called; of one that
# found something; of one that crashed or whose two memories differ.
WRONG, FOUND, FAILED = 2, 1, 3
_RANKS = {0: 0, WRONG: 1, FAILED: 2, FOUND: 3}


class KernelError(Exception):
    """`site`: (file, line) of the caller, or None."""

    def __init__(self, text, site=None, status=WRONG):
        where = f"{site[0]}:{site[1]}: " if site else ""
        super().__init__(where + text)
        self.status = status
        outcome.raised.append(self)


class RefusedError(KernelError):
    """A call that is known and not executed."""

    def __init__(self, name, why, site):
        super().__init__(f"refused: {name} ({why})", site)
        self.name, self.why, self.site = name, why, site


class Outcome:
    """The worst that happened so far, and how the script ended by it: findings
    beat failures, which beat refusals."""

    def __init__(self):
        self.status, self.end = 0, {"how": "ended", "code": 0}
        # Of the script all that it catches, too: a kernel was not checked.
        self.raised = []

    def note(self, status, how="crashed", code=0, text=""):
        if _RANKS.get(status, 2) > _RANKS[self.status]:
            self.status = status if status in _RANKS else FAILED
            self.end = {"how": how, "code": code, **({"text": text} if text else {})}


outcome = Outcome()
