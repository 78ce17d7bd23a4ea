"""What script/check-oss-fuzz-out looks at."""
