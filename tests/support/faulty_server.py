"""A server that does everything wrong: ``python -m tests.support.faulty_server --serve``, or ``--list``.

``/N/`` and what is below it is answered by misbehaviour N; ``/`` is a page with a link to each of them.
"""

import argparse
import asyncio
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.conftest import ROOT
from tests.support.misbehaviours import MISBEHAVIOURS, Misbehaviour
from tests.support.raw_answers import measured

_LONGEST_REQUEST = 65_536
_DRIP_SECONDS = 0.1
_FLOOD_SECONDS = 0.02  # between pieces: enough for a flood, and the client's other loads are not drowned
_DRIPS = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-A: " + b"b" * 100_000
_RESET = struct.pack("ii", 1, 0)


def index_page() -> str:
    entries = "".join(f'<li><a href="/{number}/">{wrong.name}</a></li>' for number, wrong in MISBEHAVIOURS.items())
    return f"<!doctype html><title>Faults</title><body><h1>Faults</h1><nav><ul>{entries}</ul></nav><main>x</main>"


async def serve(port: int) -> None:
    """Serve until the program is ended; the address is printed first."""
    server = await asyncio.start_server(_answer, "127.0.0.1", port, limit=_LONGEST_REQUEST)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


@contextmanager
def faulty_server() -> Iterator[str]:
    """Serve in a process of its own, whose floods take no time from the caller's; give the address."""
    command = [sys.executable, "-m", "tests.support.faulty_server", "--serve"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            request = await reader.readuntil(b"\r\n\r\n")
            await _misbehave(request.split(b" ", 2)[1].decode("latin-1"), reader, writer)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _misbehave(path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    number, port = path.split("/")[1], writer.get_extra_info("sockname")[1]
    if number.isdecimal() and int(number) in MISBEHAVIOURS:
        wrong = MISBEHAVIOURS[int(number)]
    else:
        wrong = Misbehaviour("none", measured("Connection: close", body=index_page().encode()))
    writer.write(wrong.answer.replace(b"{number}", number.encode()).replace(b"{port}", b"%d" % port))
    await writer.drain()
    await _go_on(wrong, reader, writer)


async def _go_on(wrong: Misbehaviour, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if wrong.ending == "resets":
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        writer.transport.abort()
    while wrong.ending == "repeats":
        writer.write(wrong.piece)
        await writer.drain()
        await asyncio.sleep(_FLOOD_SECONDS)
    for byte in _DRIPS if wrong.ending == "drips" else b"":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(_DRIP_SECONDS)
    if wrong.ending == "is silent":
        await reader.read()


def main() -> None:
    """List the misbehaviours, or serve them."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.faulty_server", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the misbehaviours with their numbers")
    parser.add_argument(
        "--serve", action="store_true", help="print the address and serve until the program is ended"
    )
    parser.add_argument("--port", type=int, default=0, help="where to serve (default: any free port)")
    options = parser.parse_args()
    if not options.list and not options.serve:
        parser.error("say --list or --serve")
    if options.list:
        print("\n".join(f"{number:4} {wrong.name}" for number, wrong in MISBEHAVIOURS.items()))
    if options.serve:
        with suppress(KeyboardInterrupt):
            asyncio.run(serve(options.port))


if __name__ == "__main__":
    main()
