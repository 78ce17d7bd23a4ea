"""What script/test-campaign makes, and what it holds against it."""
