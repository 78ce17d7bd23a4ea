"""What tools/scripts/test-kubernetes does in place of a cluster."""
