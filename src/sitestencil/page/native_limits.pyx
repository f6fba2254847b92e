# cython: language_level=3
"""Scan a page's text before parsing: the compiled part of `limits` and `shadow_trees`."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memchr, strlen

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(uint32_t character)


cdef struct Characters:
    int kind
    void *data
    Py_ssize_t length


cdef inline Characters _characters(str text):
    return Characters(PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))


cdef inline uint32_t _at(Characters text, Py_ssize_t position) noexcept:
    return PyUnicode_READ(text.kind, text.data, position)


cdef inline Py_ssize_t _find(Characters text, Py_ssize_t start, char wanted) noexcept:
    """Return the next place of an ASCII character, or the length."""
    cdef const char *data
    cdef const char *hit
    cdef Py_ssize_t position = start
    if position >= text.length:
        return text.length
    if text.kind == 1:
        data = <const char *> text.data
        hit = <const char *> memchr(data + start, wanted, <size_t> (text.length - start))
        return text.length if hit == NULL else hit - data
    while position < text.length and _at(text, position) != <uint32_t> wanted:
        position += 1
    return position


cdef inline bint _begins(Characters text, Py_ssize_t start, const char *name) noexcept:
    """Return whether a name in lower case begins at a place, in any case."""
    cdef Py_ssize_t number = 0
    cdef uint32_t character
    while name[number] != 0:
        if start + number >= text.length:
            return False
        character = _at(text, start + number)
        if character >= 128 or character | 0x20 != <uint32_t> name[number]:
            return False
        number += 1
    return True


cdef inline bint _is_space(uint32_t character) noexcept:
    return character == c' ' or character == c'\n' or character == c'\t' or character == c'\r' or character == c'\f'


cdef const char *FORMATTING[12]
FORMATTING[:] = [b"b", b"big", b"code", b"em", b"font", b"i", b"s", b"small", b"strike", b"strong", b"tt", b"u"]


cdef bint _begins_formatting(Characters text, Py_ssize_t start) noexcept:
    """Return whether the whole name of a formatting element is at a place, as `limits._FORMATTING_TAG` finds it."""
    cdef Py_ssize_t end
    cdef uint32_t character
    cdef const char *name
    if start >= text.length or memchr(b"bceifstu", <int> ((_at(text, start) | 0x20) & 0xFF), 8) == NULL:
        return False
    for name in FORMATTING:
        end = start + <Py_ssize_t> strlen(name)
        if end < text.length and _begins(text, start, name):
            character = _at(text, end)
            if _is_space(character) or character == c'/' or character == c'>':
                return True
    return False


cdef Py_ssize_t _past_value(Characters text, Py_ssize_t position) noexcept:
    """Return the end of an attribute's value that begins here; else the place itself."""
    cdef Py_ssize_t start = position, end
    cdef uint32_t character
    while position < text.length and _is_space(_at(text, position)):
        position += 1
    if position == text.length or _at(text, position) != c'=':
        return start
    start = position = position + 1
    while position < text.length and _is_space(_at(text, position)):
        position += 1
    if position == text.length:
        return position
    character = _at(text, position)
    if character == c'"' or character == c"'":
        end = _find(text, position + 1, <char> character)
        return end + 1 if end < text.length else position
    while position < text.length and not _is_space(_at(text, position)) and _at(text, position) != c'>':
        position += 1
    return position


cdef bint _has_more_attributes(Characters text, Py_ssize_t position, Py_ssize_t most) noexcept:
    """Return whether a tag begins here that has more attributes."""
    cdef Py_ssize_t attributes = 0
    cdef uint32_t character
    if position < text.length and _at(text, position) == c'/':
        position += 1
    if position >= text.length or not c'a' <= _at(text, position) | 0x20 <= c'z':
        return False
    while position < text.length:
        character = _at(text, position)
        if _is_space(character) or character == c'/' or character == c'>':
            break
        position += 1
    while True:
        while position < text.length and (_is_space(_at(text, position)) or _at(text, position) == c'/'):
            position += 1
        if position == text.length or _at(text, position) == c'>':
            return False
        attributes += 1
        if attributes > most:
            return True
        position += 1
        while position < text.length:
            character = _at(text, position)
            if _is_space(character) or character == c'/' or character == c'>' or character == c'=':
                break
            position += 1
        position = _past_value(text, position)


def look_through(str text, Py_ssize_t most, Py_ssize_t part, Py_ssize_t most_levels, Py_ssize_t most_attributes):
    """Return the counts for `limits.check_markup`, in one pass.

    Args:
        text: the text.
        most: the number of tags after which to stop.
        part: the number of characters to count at a time.
        most_levels: a page with more levels may be deep.
        most_attributes: a tag with more attributes is long.

    Returns:
        The number of tags, whether they may be deep, the numbers of bodies and of formatting elements,
        whether a tag is long, and whether a ``template`` or ``selectedcontent`` may begin.
    """
    cdef Characters characters = _characters(text)
    cdef bint is_deep = False, is_special = False, is_long = False
    cdef Py_ssize_t tags = 0, level = 0, begun = 0, ended = 0, bodies = 0, formatting = 0, end = part, after
    cdef Py_ssize_t position = _find(characters, 0, c'<')
    while position < characters.length:
        while position >= end:
            is_deep = is_deep or level + begun - ended > most_levels
            level = max(0, level + begun - 2 * ended)
            begun = ended = 0
            end += part
        tags += 1
        if tags > most:
            break
        begun += 1
        after = _find(characters, position + 1, c'<')
        if position + 1 < min(end, characters.length) and _at(characters, position + 1) == c'/':
            ended += 1
        elif _begins(characters, position + 1, b"body"):
            bodies += 1
        elif _begins(characters, position + 1, b"template") or _begins(characters, position + 1, b"selectedc"):
            is_special = True
        elif _begins_formatting(characters, position + 1):
            formatting += 1
        is_long = is_long or _has_more_attributes(characters, position + 1, most_attributes)
        position = after
    return tags, is_deep or level + begun - ended > most_levels, bodies, formatting, is_long, is_special


cdef enum:
    LONGEST_NAME = 8


cdef inline uint32_t _small(uint32_t character) noexcept:
    """Return an ASCII letter in lower case, and others that Python's regular expressions fold to one."""
    if c'A' <= character <= c'Z':
        return character | 0x20
    if character == 0x0130 or character == 0x0131:
        return c'i'
    if character == 0x017F:
        return c's'
    return c'k' if character == 0x212A else character


cdef Py_ssize_t _named_length(Characters text, Py_ssize_t start, frozenset names):
    """Return the length of a tag up to the end of its name, if it has one of these names; else 0."""
    cdef Py_ssize_t position = start + 1, length = 0
    cdef uint32_t character
    cdef char[LONGEST_NAME] name
    if position < text.length and _at(text, position) == c'/':
        position += 1
    while position < text.length:
        character = _small(_at(text, position))
        if not c'a' <= character <= c'z':
            break
        if length == LONGEST_NAME:
            return 0
        name[length] = <char> character
        length += 1
        position += 1
    if not length or position == text.length:
        return 0
    character = _at(text, position)
    if character != c'>' and character != c'/' and not Py_UNICODE_ISSPACE(character):
        return 0
    return position - start if name[:length] in names else 0


def may_be_deep_without(str text, Py_ssize_t part, Py_ssize_t most_levels, frozenset names):
    """Return whether the tags may nest too deeply, ignoring those of some names.

    Args:
        text: the text.
        part: the number of remaining characters to count at a time.
        most_levels: a page with more levels may be deep.
        names: the names in lower case, of at most eight letters.
    """
    cdef Characters characters = _characters(text)
    cdef Py_ssize_t level = 0, begun = 0, ended = 0, end = part, cut = 0, after, length
    cdef Py_ssize_t position = _find(characters, 0, c'<')
    while position < characters.length:
        length = _named_length(characters, position, names)
        if length:
            cut += length
            position = _find(characters, position + length, c'<')
            continue
        while position - cut >= end:
            if level + begun - ended > most_levels:
                return True
            level = max(0, level + begun - 2 * ended)
            begun = ended = 0
            end += part
        begun += 1
        after = position + 1
        while after < characters.length and _at(characters, after) == c'<':
            length = _named_length(characters, after, names)
            if not length:
                break
            after += length
        if position - cut + 1 < end and after < characters.length and _at(characters, after) == c'/':
            ended += 1
        position = _find(characters, position + 1, c'<')
    return level + begun - ended > most_levels


cdef enum:
    MOST_NAMES = 256


cdef struct Name:
    uint64_t mark
    Py_ssize_t start
    Py_ssize_t length
    Py_ssize_t opened
    bint nests
    bint formats
    bint is_body
    bint is_raw
    bint is_script


cdef inline uint32_t _without_capital(uint32_t character) noexcept:
    return character | 0x20 if c'A' <= character <= c'Z' else character


cdef bint _is_name(Characters text, Name *known, Py_ssize_t start, Py_ssize_t length) noexcept:
    cdef Py_ssize_t number
    if known.length != length:
        return False
    for number in range(length):
        if _without_capital(_at(text, known.start + number)) != _without_capital(_at(text, start + number)):
            return False
    return True


cdef Py_ssize_t _past_attributes(Characters text, Py_ssize_t position) noexcept:
    """Return the place of the bracket that ends a tag, or the length."""
    cdef uint32_t character
    while True:
        while position < text.length and (_is_space(_at(text, position)) or _at(text, position) == c'/'):
            position += 1
        if position == text.length or _at(text, position) == c'>':
            return position
        position += 1
        while position < text.length:
            character = _at(text, position)
            if _is_space(character) or character == c'/' or character == c'>' or character == c'=':
                break
            position += 1
        position = _past_value(text, position)


cdef bint _is_at(Characters text, Py_ssize_t start, const char *part) noexcept:
    cdef Py_ssize_t number = 0
    while part[number] != 0:
        if start + number >= text.length or _at(text, start + number) != <uint32_t> part[number]:
            return False
        number += 1
    return True


cdef Py_ssize_t _past_comment(Characters text, Py_ssize_t position) noexcept:
    """Return the end of a comment or bogus comment whose bracket is here."""
    cdef Py_ssize_t end
    if not _is_at(text, position, b"<!--"):
        return min(_find(text, position + 1, c'>') + 1, text.length)
    if _is_at(text, position + 4, b">") or _is_at(text, position + 4, b"->"):
        return _find(text, position, c'>') + 1
    end = _find(text, position + 4, c'-')
    while end < text.length:
        if _is_at(text, end, b"-->"):
            return end + 3
        if _is_at(text, end, b"--!>"):
            return end + 4
        end = _find(text, end + 1, c'-')
    return text.length


cdef Py_ssize_t _raw_end(Characters text, Py_ssize_t position, Name *name) noexcept:
    """Return the end tag of an element whose content is text; -1 for a script with a comment."""
    cdef Py_ssize_t after
    position = _find(text, position, c'<')
    while position < text.length:
        if name.is_script and _is_at(text, position, b"<!--"):
            return -1
        after = position + 2 + name.length
        if after < text.length and _at(text, position + 1) == c'/' and _is_name(text, name, position + 2, name.length):
            if _is_space(_at(text, after)) or _at(text, after) == c'/' or _at(text, after) == c'>':
                return position
        position = _find(text, position + 1, c'<')
    return position


def nests_little(
    str text,
    Py_ssize_t most_levels,
    Py_ssize_t most_bodies,
    Py_ssize_t most_repeated,
    frozenset not_nesting,
    frozenset formatting,
    frozenset raw,
):
    """Return whether `limits._check_tags` surely refuses nothing; a page with SVG or the like is left to it.

    Args:
        text: the text; no tag has too many attributes.
        most_levels: the largest number of levels.
        most_bodies: the largest number of tags of a page's body or root.
        most_repeated: the largest product of open formatting elements and tags.
        not_nesting: the names that do not nest.
        formatting: the names of the formatting elements.
        raw: the names of the elements whose content is text.
    """
    cdef Characters characters = _characters(text)
    cdef Name[MOST_NAMES] names
    cdef Name *name
    cdef Py_ssize_t known = 0, number, start, end, level = 0, bodies = 0, tags = 0, open_formatting = 0, most = 0
    cdef bint is_end
    cdef uint64_t mark
    cdef Py_ssize_t position = _find(characters, 0, c'<')
    while position < characters.length:
        start = position + 1
        is_end = start < characters.length and _at(characters, start) == c'/'
        if is_end:
            start += 1
        if start == characters.length or not c'a' <= _at(characters, start) | 0x20 <= c'z':
            if is_end or _is_at(characters, start, b"!") or _is_at(characters, start, b"?"):
                position = _past_comment(characters, position) - 1
            position = _find(characters, position + 1, c'<')
            continue
        # The names' hashes (FNV) keep the search short, whatever the names.
        end, mark = start, <uint64_t> 0xCBF29CE484222325
        while end < characters.length and not _is_space(_at(characters, end)):
            if _at(characters, end) == c'/' or _at(characters, end) == c'>':
                break
            mark = (mark ^ _without_capital(_at(characters, end))) * <uint64_t> 0x100000001B3
            end += 1
        number = 0
        while number < known:
            if names[number].mark == mark and _is_name(characters, &names[number], start, end - start):
                break
            number += 1
        name = &names[number]
        if number == known:
            written = text[start:end]
            written = written.lower() if written.isascii() else written
            known += 1
            if known == MOST_NAMES or written in _FOREIGN:
                return False
            name.mark, name.start, name.length, name.opened = mark, start, end - start, 0
            name.nests, name.formats = written not in not_nesting, written in formatting
            name.is_body, name.is_raw = written in _BODIES, written in raw
            name.is_script = written == "script"
        tags += 1
        position = _past_attributes(characters, end)
        if is_end:
            if name.opened:
                name.opened -= 1
                level -= 1
                open_formatting -= name.formats
        elif name.is_raw and position < characters.length:
            position = _raw_end(characters, position, name)
            if position < 0:
                return False
        else:
            bodies += name.is_body
            if name.nests:
                name.opened += 1
                level += 1
                open_formatting += name.formats
                most = max(most, open_formatting)
                if level > most_levels:
                    return False
        position = _find(characters, position, c'<')
    return most * tags <= most_repeated and bodies <= most_bodies


_FOREIGN = frozenset({"svg", "math", "frameset"})
_BODIES = frozenset({"body", "html"})


def has_tag(str text, bytes name):
    """Return whether a text has the start of a tag whose name begins so, in any case."""
    cdef Characters characters = _characters(text)
    cdef const char *letters = name
    cdef Py_ssize_t position = _find(characters, 0, c'<')
    while position < characters.length:
        if _begins(characters, position + 1, letters):
            return True
        position = _find(characters, position + 1, c'<')
    return False


def has_word(str text, bytes word, Py_ssize_t rarest):
    """Return whether a text contains an ASCII word.

    Args:
        text: the text.
        word: the word.
        rarest: the index of its rarest letter.
    """
    cdef Characters characters = _characters(text)
    cdef const char *letters = word
    cdef Py_ssize_t length = len(word), number
    cdef Py_ssize_t position = _find(characters, rarest, letters[rarest])
    while position - rarest + length <= characters.length:
        number = 0
        while number < length and _at(characters, position - rarest + number) == <uint32_t> letters[number]:
            number += 1
        if number == length:
            return True
        position = _find(characters, position + 1, letters[rarest])
    return False
