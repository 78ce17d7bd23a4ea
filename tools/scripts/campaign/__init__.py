"""Inputs and expectations of tools/scripts/test-campaign."""
