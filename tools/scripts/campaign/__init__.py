"""What tools/scripts/test-campaign makes, and what it holds against it."""
