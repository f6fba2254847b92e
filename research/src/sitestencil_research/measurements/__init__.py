"""Measurements for the documents, each run as a module: times, memory, figures of models and crawls."""
