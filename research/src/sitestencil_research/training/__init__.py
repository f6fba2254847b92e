"""Train the models that the detectors ship, and write their model cards."""
