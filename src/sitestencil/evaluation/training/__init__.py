"""How the models that the detectors ship are learned, and the cards that tell it."""
