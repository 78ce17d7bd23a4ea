"""Masks that a call carries itself: a number of lanes, or two words of bits."""


def bits_of(mask):
    return mask[1] << 64 | mask[0] if isinstance(mask, list) else (1 << mask) - 1


def lanes_of(bits, size):
    """Lanes of elements of `size` bytes that take part."""
    return [lane for lane in range(256 // size) if bits >> lane & 1]


def broken_rule(mask, size, own_mask):
    """The end of the rule's name that a mask breaks, at most one."""
    if not own_mask:
        return [] if mask in (0, [0, 0]) else ["PLACEHOLDER"]
    if isinstance(mask, list):
        low, high = mask
        ok = {1: True, 2: bool(low or high), 4: high == 0 and low != 0,
              8: high == 0 and 1 <= low < 2**32}[size]
        return [] if ok else ["MASK-BITS"]
    # The ranges are those of 16, 32 and 64 bits.
    return [] if size == 1 or 1 <= mask <= 256 // size else ["MASK-CONTIGUOUS"]
