"""Connects browsers and program: install, doctor, manifests, the packed extension."""
