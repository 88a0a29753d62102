"""Modules of tools/polygpu-fuzz."""
