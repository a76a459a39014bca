"""Telling people what was found and what is wrong: messages in, deliveries out."""
