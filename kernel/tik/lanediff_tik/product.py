"""Which product a script is for."""

import os
import shlex

from .error import KernelError
from .site import here

# ai_core_arch and ai_core_version of Dprofile; how many cores the documents
# give them.
PROFILES = {("v100", "mini"): "atlas-200-300-500", ("v100", "cloud"): "atlas-training"}
CORES = {"atlas-200-300-500": 2, "atlas-training": 32}
DEFAULT = "atlas-a2"
# Capacities in bytes; those of UB and L1 on atlas-a2 and -a3 are others.
UB, L1 = 262144, 1048576
UB_SMALL, L1_SMALL = 196608, 524288


def options():
    """Further options of `lanediff run`: LANEDIFF_OPTIONS."""
    return shlex.split(os.environ.get("LANEDIFF_OPTIONS", ""))


def option(name):
    """The value of --NAME among the options, the last one, or None."""
    words, value = options(), None
    for k, word in enumerate(words):
        if word == f"--{name}" and k + 1 < len(words):
            value = words[k + 1]
        elif word.startswith(f"--{name}="):
            value = word.split("=", 1)[1]
    return value


class Dprofile:

    def __init__(self, ai_core_arch=None, ai_core_version=None, ddk_version=None):
        self.named = (ai_core_arch, ai_core_version)

    def _product(self):
        return chosen(self, here())

    def get_aicore_num(self):
        product = self._product()
        if product not in CORES:
            raise KernelError(f"get_aicore_num: not documented for {product}; "
                              f"--product may be {' or '.join(CORES)}", here())
        return CORES[product]

    def get_unified_buffer_size(self):
        return UB_SMALL if self._product() in ("atlas-a2", "atlas-a3") else UB

    def get_l1_buffer_size(self):
        return L1_SMALL if self._product() in ("atlas-a2", "atlas-a3") else L1


def chosen(profile, site):
    """The product's word: what Dprofile names, else --product, else the
    default."""
    requested = option("product")
    named = getattr(profile, "named", (None, None))
    if named == (None, None):
        return requested or DEFAULT
    product = PROFILES.get(named)
    if product is None and requested is None:
        known = ", ".join(f"Dprofile{pair}" for pair in PROFILES)
        raise KernelError(f"Dprofile{named} names no product; --product does, or {known}", site)
    if product and requested and product != requested:
        raise KernelError(f"Dprofile{named} is {product}, --product {requested}", site)
    return product or requested
