"""Calls: what each touches, and plain loops that compute what its page says."""
