"""The engines of tools/scripts/test-engine."""
