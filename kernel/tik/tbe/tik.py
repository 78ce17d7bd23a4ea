"""TIK: see lanediff_tik."""

from lanediff_tik import *  # noqa: F401,F403
