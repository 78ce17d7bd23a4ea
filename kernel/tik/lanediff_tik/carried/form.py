"""The calls by name. A family's file registers its own; the last lines import
all."""

import functools
import inspect

from .step import Left

FORMS = {}


class Form:

    def __init__(self, name, function, signature, refused=None):
        self.name, self.function, self.signature, self.refused = name, function, signature, refused


def call(name, signature=None):
    """Registers `function(run, site, **arguments)`; `signature` is that of its
    arguments, where it does not name them."""

    def register(function):

        @functools.wraps(function)
        def execute(run, site, **arguments):
            try:
                function(run, site, **arguments)
            except Left as left:
                left.step.emit()

        own = list(inspect.signature(function).parameters.values())[2:]
        FORMS[name] = Form(name, execute, signature or inspect.Signature(own))
        return function

    return register


def refuse(name, why):
    FORMS[name] = Form(name, None, None, why)


from . import compare, convert, elementwise, move, reduce, transpose  # noqa: E402,F401
