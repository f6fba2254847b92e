"""``sitestencil completion``: print what makes a shell complete the command."""

import argparse

from sitestencil.cli.command import Command, say

_SHELLS = ("bash", "zsh", "fish")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=_SHELLS, help="your shell")


def _run(options: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    say(shellcode(["sitestencil"], shell=options.shell))
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions, and end; do nothing at any other start."""
    from argcomplete import autocomplete

    autocomplete(parser, always_complete_options=False)


COMPLETION = Command(
    name="completion",
    group="setup",
    help="print the completion of commands and options for a shell",
    description="Print the code by which bash, zsh or fish completes commands, options and their values.",
    configure=_configure,
    run=_run,
    epilog="""\
add this line to the file that your shell reads:
  bash  ~/.bashrc                   eval "$(sitestencil completion bash)"
  zsh   ~/.zshrc, after compinit    eval "$(sitestencil completion zsh)"
  fish  ~/.config/fish/config.fish  sitestencil completion fish | source""",
)
