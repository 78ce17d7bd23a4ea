"""What tools/scripts/check-oss-fuzz-out looks at."""
