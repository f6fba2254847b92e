"""The documents that are made from the program are current, and tell of all that the program has."""

from docs.scripts import command_line, crawl_picture, python_reference
from supply import host_messages

import sitestencil
from sitestencil.cli import commands


def test_the_command_line_s_document_is_what_the_help_says_today() -> None:
    made = command_line.document()
    assert command_line.FILE.read_text(encoding="utf-8") == made, "run make docs"
    for command in commands():
        if command.group == "research":
            continue
        assert f"## sitestencil {command.name}\n" in made
        assert command.epilog in made or command.epilog.startswith("examples:")


def test_the_library_s_document_is_what_the_docstrings_say_today() -> None:
    made = python_reference.document()
    assert python_reference.FILE.read_text(encoding="utf-8") == made, "run make docs"
    for name in sitestencil.__all__:
        assert name in made
    for name in ("content_text", "content_markdown", "content_html", "selectors", "to_json_lines"):
        assert f"`{name}(" in made or f"#### {name}\n" in made


def test_the_crawl_s_picture_is_what_the_demo_page_loses_today() -> None:
    assert crawl_picture.FILE.read_text(encoding="utf-8") == crawl_picture.picture(), "run make docs"


def test_the_extension_s_types_of_messages_are_the_host_s_today() -> None:
    assert host_messages.FILE.read_text(encoding="utf-8") == host_messages.declarations(), "run make docs"
