"""Measures one point of a sweep: a reference Transformer, a user's callable, or any command."""
