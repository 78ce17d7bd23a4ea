"""Bytes of a memory; those that were never written are `fill`."""


class Memory:

    def __init__(self, data=b"", fill=0):
        self._bytes, self._fill = bytearray(data), bytes([fill])

    def read(self, at, count):
        """What lies outside of any memory reads as unwritten: a call that goes there is
        rejected."""
        before = self._fill * max(0, min(count, -at))
        data = bytes(self._bytes[max(at, 0):max(at + count, 0)])
        return (before + data).ljust(count, self._fill)

    def write(self, at, data):
        data, at = data[max(0, -at):], max(at, 0)
        if data:
            missing = at + len(data) - len(self._bytes)
            if missing > 0:
                self._bytes.extend(self._fill * missing)
            self._bytes[at:at + len(data)] = data

    def __len__(self):
        return len(self._bytes)
