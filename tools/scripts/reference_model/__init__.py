"""The expectations of cases, worked out a third time, from the documents alone.

Nothing here is shared with the emulator or the oracle, nor taken from them: exact
integers instead of their arithmetic, marks on bytes instead of their address plans.
"""
