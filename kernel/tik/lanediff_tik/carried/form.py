"""The calls by name. A family's file registers its own; the last lines import
all."""

import functools
import inspect

from .step import Left

FORMS = {}


class Form:

    def __init__(self, name, function, signature, refused=None):
        self.name, self.function, self.signature, self.refused = name, function, signature, refused


def _signature(parameters):
    """"mask dst mask_mode='normal'" as inspect has it."""
    made = []
    for word in parameters.split():
        name, _, default = word.partition("=")
        made.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                      default=_literal(default) if default else inspect.Parameter.empty))
    return inspect.Signature(made)


def _literal(text):
    return {"None": None, "False": False}.get(text, int(text) if text.isdigit() else text)


def call(name, parameters, **fixed):
    """Registers `function(run, site, **arguments)`; `fixed` are arguments that
    the name stands for."""

    def register(function):

        @functools.wraps(function)
        def execute(run, site, **arguments):
            try:
                function(run, site, **fixed, **arguments)
            except Left as left:
                left.step.emit()

        FORMS[name] = Form(name, execute, _signature(parameters))
        return function

    return register


def refuse(name, why):
    FORMS[name] = Form(name, None, None, why)


from . import compare, convert, elementwise, move, reduce, transpose  # noqa: E402,F401
