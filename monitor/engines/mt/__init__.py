"""Translators: services behind HTTP, chat models, and models that run in this machine."""
