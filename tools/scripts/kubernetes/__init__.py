"""The substitute for a cluster of tools/scripts/test-kubernetes."""
