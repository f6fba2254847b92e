"""Write the types of the messages between extension and host: ``python -m supply.host_messages``."""

import inspect
import re
from collections.abc import Iterable

import msgspec
from msgspec import inspect as types
from supply.distributions import ROOT

from sitestencil.detectors.detection import Doubt
from sitestencil.page.snapshot import Snapshot
from sitestencil.saving.captured_page import Capture
from sitestencil_host.messaging import messages, results
from sitestencil_host.worker import applying, extractions, job, saving

FILE = ROOT / "extension" / "host_messages.d.ts"
_HEAD = """\
// The messages between background and host, made from the host's by supply/host_messages.py (`make docs`): change
// those, not this file. host/PROTOCOL.md describes every field.
"""
REQUESTS = (
    messages.HelloRequest,
    messages.PrepareRequest,
    extractions.ExtractRequest,
    applying.ApplyRequest,
    saving.SaveRequest,
    messages.CancelRequest,
    messages.SitesRequest,
    messages.ForgetRequest,
    job.PageAnswer,
)
ANSWERS = (
    messages.HelloAnswer,
    results.ProgressAnswer,
    results.ReasonsPart,
    results.ResultPart,
    results.EarlyResultPart,
    saving.SavedPart,
    messages.SitesAnswer,
    messages.ForgottenAnswer,
    job.LoadRequest,
    job.CancelLoad,
    messages.ErrorAnswer,
)
_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n      .*)*)", re.MULTILINE)
_PLAIN: dict[type[types.Type], str] = {
    types.AnyType: "unknown",
    types.BoolType: "boolean",
    types.BytesType: "string",  # in base64
    types.FloatType: "number",
    types.IntType: "number",
    types.NoneType: "null",
    types.RawType: "Snapshot",  # decoded later
    types.StrType: "string",
}


def declarations() -> str:
    """Return the file's text."""
    parts = [_HEAD, _union("HostRequest", "The background to the host.", REQUESTS)]
    parts.append(_union("HostMessage", "The host to the background.", ANSWERS))
    parts.append(f"type DoubtName = {_one_of(Doubt)};\n")
    parts += [_interface(struct, is_answer=False) for struct in with_parts((*REQUESTS, applying.Change, Capture))]
    parts += [_interface(struct, is_answer=True) for struct in with_parts(ANSWERS)]
    return "\n".join(parts)


def with_parts(structs: Iterable[type[msgspec.Struct]]) -> Iterable[type[msgspec.Struct]]:
    """Return the structs, each after those that it holds."""
    found: dict[type[msgspec.Struct], None] = {}

    def add(kind: types.Type) -> None:
        match kind:
            case types.StructType(cls=cls, fields=fields):
                for field in fields:
                    add(field.type)
                found[cls] = None
            case types.UnionType(types=kinds):
                for each in kinds:
                    add(each)
            case types.ListType(item_type=item) | types.VarTupleType(item_type=item) | types.Metadata(type=item):
                add(item)
            case types.RawType():
                found[Snapshot] = None

    for struct in structs:
        add(types.type_info(struct))
    return found


def _union(name: str, comment: str, structs: Iterable[type[msgspec.Struct]]) -> str:
    return f"/** {comment} */\ntype {name} = {' | '.join(struct.__name__ for struct in structs)};\n"


def _interface(struct: type[msgspec.Struct], *, is_answer: bool) -> str:
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    documentation = (inspect.getdoc(struct) or "").replace("``", "`").replace("None", "null")
    comments = {name: re.sub(r"\s+", " ", text).rstrip(".") for name, text in _ATTRIBUTE.findall(documentation)}
    first, _, _ = documentation.partition("\n\n")
    lines = [f"/** {first} */", f"interface {struct.__name__} {{"]
    if info.tag is not None:
        lines.append(f'  type: "{info.tag}";')
    for field in info.fields:
        if field.name in comments:
            lines.append(f"  /** {comments[field.name]} */")
        lines.append(f"  {_field(field, is_sent=is_answer, omits=struct.__struct_config__.omit_defaults)};")
    return "\n".join([*lines, "}", ""])


def _field(field: types.Field, *, is_sent: bool, omits: bool) -> str:
    """Return a field: one with a default can be missing, unless the host sends it nevertheless."""
    is_optional = not field.required and (omits or not is_sent)
    kind = _typescript(field.type)
    if is_sent and omits and field.default is None:
        kind = kind.removesuffix(" | null")
    return f"{field.encode_name}{'?' if is_optional else ''}: {kind}"


def _typescript(kind: types.Type) -> str:  # noqa: PLR0911 - a table
    match kind:
        case types.StructType(cls=cls):
            return cls.__name__
        case types.UnionType(types=kinds):
            return " | ".join(map(_typescript, kinds))
        case types.LiteralType(values=values):
            return _one_of(values)
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            return f"ReadonlyArray<{_typescript(item)}>"
        case types.TupleType(item_types=items):
            return f"readonly [{', '.join(map(_typescript, items))}]"
        case types.DictType(key_type=key, value_type=value):
            return f"Readonly<Record<{_typescript(key)}, {_typescript(value)}>>"
        case types.Metadata(type=inner):
            return _typescript(inner)
        case _:
            return _PLAIN[type(kind)]


def _one_of(values: Iterable[object]) -> str:
    return " | ".join(f'"{value}"' for value in values)


if __name__ == "__main__":
    FILE.write_text(declarations(), encoding="utf-8")
