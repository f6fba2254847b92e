"""Tables of cases as one test each, which names every case that fails."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

Test = Callable[..., None]
_LONGEST_CASE = 200


def table(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for each row of a table, as `pytest.mark.parametrize` does, but as one test.

    Args:
        names: the names of the arguments that a row gives.
        rows: the values: of each row one for each name, or the value itself for a single name.
    """
    arguments = [names] if isinstance(names, str) else list(names)
    cases = [dict(zip(arguments, [row] if isinstance(names, str) else row, strict=True)) for row in rows]

    def of_all_rows(test: Test) -> Test:
        @wraps(test)
        def run(**others: object) -> None:
            failures = []
            for case in cases:
                try:
                    test(**others, **case)
                except Exception as error:  # each case is to be told, whatever is wrong with it
                    failures.append(f"{str(case)[:_LONGEST_CASE]}: {type(error).__name__}: {error}")
            assert not failures, "\n".join(failures)

        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return of_all_rows


def written_cases(file: Path) -> list[tuple[str, str, str]]:
    """Return a file's cases: a line ``=== what it shows``, the input, a line ``--->``, and what comes of it."""
    cases = []
    for case in file.read_text("utf-8").removeprefix("=== ").split("\n=== "):
        shows, _, rest = case.partition("\n")
        given, _, wanted = rest.partition("\n--->\n")
        cases.append((shows, given, wanted.rstrip("\n") + "\n"))
    return cases
