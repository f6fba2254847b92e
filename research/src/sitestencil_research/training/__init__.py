"""Train the models that the detectors ship, and write their model cards."""

from importlib.util import find_spec

from sitestencil.errors import PackageMissing


def require_packages() -> None:
    """Check that the packages of training are installed.

    Raises:
        PackageMissing: one is not installed.
    """
    if not all(map(find_spec, ("lightgbm", "sklearn"))):
        raise PackageMissing("Training needs LightGBM and scikit-learn.", "train")
