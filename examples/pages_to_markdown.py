"""Write the content of several pages at a time as Markdown files, for example for a language model.

Install first, in the folder of the source: pip install .

python examples/pages_to_markdown.py https://example.org/a https://example.org/b
"""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

from small_site import addresses

import sitestencil


async def save(url: str, folder: Path) -> Path:
    template = await sitestencil.extract_async(url)
    file = folder / f"{urlsplit(url).path.strip('/').replace('/', '-') or 'index'}.md"
    file.write_text(template.content_markdown(), encoding="utf-8")
    return file


async def save_all(urls: list[str], folder: Path) -> None:
    for outcome in await asyncio.gather(*(save(url, folder) for url in urls), return_exceptions=True):
        print(outcome)


if __name__ == "__main__":
    made = Path("pages")
    made.mkdir(exist_ok=True)
    asyncio.run(save_all(addresses("/knots", "/ropewalk", "/visit"), made))
