"""Calls: what each touches, and plain loops that compute the result of its page."""
