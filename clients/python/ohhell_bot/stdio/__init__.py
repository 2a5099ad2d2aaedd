"""Bots that read questions on standard input and write answers on standard output."""
