"""What script/test-kubernetes does in place of a cluster."""
