# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Describe the blocks of a page by numbers: the compiled `features`, without those of compared pages."""

from array import array

from libc.math cimport log, log1p

from sitestencil.content.feature_names import (
    ENDS as _ENDS, FAR as _FAR, KIND_LEVELS as _KIND_LEVELS, LANDMARKS as _LANDMARKS, LEVELS as _LEVELS,
    MARKS as _MARKS, NEAR_LEVELS as _NEAR_LEVELS, PARAGRAPH_LINKED as _PARAGRAPH_LINKED,
    PARAGRAPH_SHARES as _PARAGRAPH_SHARES, PARAGRAPH_WORDS as _PARAGRAPH_WORDS, TAGS as _TAGS, UNKNOWN as _UNKNOWN,
    WINDOWS as _WINDOWS,
)

cdef str _marks = _MARKS
cdef dict _landmarks = {name: number for number, name in enumerate(_LANDMARKS)}
cdef double _far = _FAR, _unknown = _UNKNOWN, _paragraph_linked = _PARAGRAPH_LINKED
cdef int _paragraph_words = _PARAGRAPH_WORDS, _kind_levels = _KIND_LEVELS, _near_levels = _NEAR_LEVELS


def page_features(measures, list numbers) -> list:
    """Return a column for each feature of a page alone but names, with a value for each of some blocks."""
    return _Features(measures, numbers).columns


def name_features(measures, list numbers, odds) -> list:
    """Return a column for each feature of the words in names, by their log-odds."""
    cdef Py_ssize_t rows = len(numbers), row, container
    cdef list columns = [array("d", bytes(8 * rows)) for _ in range(6)], parents = list(measures.document.parents)
    cdef dict of_container = {}, of_names = {}, known = measures.known_names
    cdef frozenset near
    for row in range(rows):
        container = measures.blocks[numbers[row]].container
        found = of_container.get(container)
        if found is None:
            element, near = parents[container], _names(measures, known, container)
            for _ in range(1, _near_levels):
                if element >= 0:
                    above = _names(measures, known, element)
                    near = near | above if near and above else near or above
                    element = parents[element]
            found = of_container[container] = (
                *_of_names(near, odds, 0, of_names), *_of_names(measures.names_from(element), odds, 1, of_names)
            )
        for column, value in zip(columns, found):
            column[row] = value
    return columns


cdef frozenset _names(measures, dict known, element):
    """Return the words in an element's names; most are known."""
    found = known.get(element)
    return measures.names(element) if found is None else found


cdef tuple _of_names(frozenset names, odds, int place, dict known):
    """Return the least, the greatest and the sum of the log-odds; the order of the sum is the same in each run."""
    cdef list values
    found = known.get((place, names))
    if found is None:
        values = [odds[name][place] for name in sorted([name for name in names if name in odds])]
        found = known[place, names] = (min(values), max(values), sum(values)) if values else (0.0, 0.0, 0.0)
    return found


cdef class _Features:
    cdef object measures
    cdef list columns, tags
    cdef dict names
    cdef Py_ssize_t rows, blocks, elements
    cdef int total
    cdef int[::1] numbers, containers, parents, depths
    cdef int[::1] sizes, linked, marks, digits, capitals  # of blocks
    cdef int[::1] words_before, linked_before, marks_before
    cdef int[::1] words_of, linked_of, paragraphs_of, blocks_of  # of subtrees

    def __init__(self, measures, list numbers):
        document = measures.document
        self.measures, self.columns, self.tags = measures, [], list(document.tags)
        self.names = measures.known_names
        self.rows, self.blocks, self.elements = len(numbers), len(measures.blocks), len(self.tags)
        self.numbers, self.parents = array("i", numbers), array("i", document.parents)
        self.containers = array("i", [measures.blocks[number].container for number in numbers])
        self.sizes, self.linked = array("i", measures.sizes), array("i", measures.linked)
        self.depths = array("i", bytes(4 * self.elements))
        cdef Py_ssize_t element
        for element in range(self.elements):
            self.depths[element] = self.depths[self.parents[element]] + 1 if self.parents[element] >= 0 else 1
        self._count_characters(measures.blocks)
        self.words_before, self.linked_before = _before(self.sizes), _before(self.linked)
        self.marks_before = _before(self.marks)
        self.total = self.words_before[self.blocks]
        self._sum_up(measures.blocks)
        self._own()
        self._place()
        self._around()
        self._above()
        self._likeness()

    cdef double[::1] _column(self):
        """Append a column of zeros."""
        column = array("d", bytes(8 * self.rows))
        self.columns.append(column)
        return column

    cdef int _constant(self, double value) except -1:
        self.columns.append(array("d", [value]) * self.rows)
        return 0

    cdef int _count_characters(self, list blocks) except -1:
        cdef Py_ssize_t number
        cdef Py_UCS4 character
        cdef str text
        self.marks, self.digits = array("i", bytes(4 * self.blocks)), array("i", bytes(4 * self.blocks))
        self.capitals = array("i", bytes(4 * self.blocks))
        for number in range(self.blocks):
            text = blocks[number].text
            for character in text:
                if c'a' <= character <= c'z' or character == c' ':
                    continue
                self.marks[number] += character in _marks
                self.digits[number] += character.isdigit()
                self.capitals[number] += character.isupper()
        return 0

    cdef int _sum_up(self, list blocks) except -1:
        """Sum the words, words in links, words in paragraphs, and blocks of each subtree."""
        cdef Py_ssize_t number, element, parent
        self.words_of, self.linked_of = array("i", bytes(4 * self.elements)), array("i", bytes(4 * self.elements))
        self.paragraphs_of = array("i", bytes(4 * self.elements))
        self.blocks_of = array("i", bytes(4 * self.elements))
        for number in range(self.blocks):
            element = blocks[number].container
            self.words_of[element] += self.sizes[number]
            self.linked_of[element] += self.linked[number]
            self.blocks_of[element] += 1
            if self.tags[element] == "p" or (
                self.sizes[number] > _paragraph_words
                and self.linked[number] < _paragraph_linked * self.sizes[number]
            ):
                self.paragraphs_of[element] += self.sizes[number]
        for element in range(self.elements - 1, 0, -1):
            parent = self.parents[element]
            self.words_of[parent] += self.words_of[element]
            self.linked_of[parent] += self.linked_of[element]
            self.paragraphs_of[parent] += self.paragraphs_of[element]
            self.blocks_of[parent] += self.blocks_of[element]
        return 0

    cdef int _own(self) except -1:
        cdef double[::1] words = self._column(), letters = self._column(), links = self._column()
        cdef double[::1] marks = self._column(), ends = self._column(), digits = self._column()
        cdef double[::1] capitals = self._column(), length = self._column(), runs = self._column(), tag
        cdef Py_ssize_t row, number, characters
        cdef int size
        cdef str text
        for row in range(self.rows):
            number = self.numbers[row]
            block = self.measures.blocks[number]
            text = block.text
            characters, size = len(text), self.sizes[number]
            words[row] = size
            letters[row] = log1p(characters)
            links[row] = self.linked[number] / <double> size
            marks[row] = self.marks[number] / <double> size
            ends[row] = text[characters - 1] in _ENDS
            digits[row] = self.digits[number] / <double> characters
            capitals[row] = self.capitals[number] / <double> characters
            length[row] = characters / <double> size
            runs[row] = len(block.texts)
        for wanted in _TAGS:
            tag = self._column()
            for row in range(self.rows):
                tag[row] = self.tags[self.containers[row]] in wanted
        return 0

    cdef int _place(self) except -1:
        cdef double[::1] depth = self._column(), column
        cdef double[::1] place, before, after, share
        cdef int[::1] nearest = array("i", bytes(4 * self.elements))
        cdef int[::1] landmarks = array("i", [_landmarks.get(tag, -1) for tag in self.tags])
        cdef Py_ssize_t row, number, element
        cdef int landmark
        for row in range(self.rows):
            depth[row] = self.depths[self.containers[row]]
        for landmark in range(len(_LANDMARKS)):
            column = self._column()
            for element in range(self.elements):
                nearest[element] = nearest[self.parents[element]] if self.parents[element] >= 0 else -1
                if landmarks[element] == landmark:
                    nearest[element] = element
            for row in range(self.rows):
                element = nearest[self.containers[row]]
                column[row] = depth[row] - self.depths[element] if element >= 0 else _far
        place, before, after = self._column(), self._column(), self._column()
        self._constant(log(self.total))
        self._constant(self.blocks)
        share = self._column()
        for row in range(self.rows):
            number = self.numbers[row]
            place[row] = number / <double> self.blocks
            before[row] = self.words_before[number] / <double> self.total
            after[row] = (self.total - self.words_before[number + 1]) / <double> self.total
            share[row] = self.sizes[number] / <double> self.total
        return 0

    cdef double _link_share(self, Py_ssize_t number) noexcept:
        return self.linked[number] / <double> self.sizes[number]

    cdef int _around(self) except -1:
        cdef double[::1] size, links, marks, longest
        cdef Py_ssize_t row, number, other, first, last
        cdef double words
        cdef int step, reach, most
        for step in (-1, 1):
            size, links = self._column(), self._column()
            for row in range(self.rows):
                number = self.numbers[row] + step
                if 0 <= number < self.blocks:
                    size[row], links[row] = self.sizes[number], self._link_share(number)
                else:
                    links[row] = 1
        for reach in _WINDOWS:
            links, marks, longest = self._column(), self._column(), self._column()
            for row in range(self.rows):
                number = self.numbers[row]
                first, last = max(0, number - reach), min(self.blocks, number + reach + 1)
                words = self.words_before[last] - self.words_before[first]
                links[row] = (self.linked_before[last] - self.linked_before[first]) / words
                marks[row] = (self.marks_before[last] - self.marks_before[first]) / words
                most = 0
                for other in range(first, last):
                    if self.sizes[other] > most and self._link_share(other) < 0.5:
                        most = self.sizes[other]
                longest[row] = most
        return 0

    cdef int _above(self) except -1:
        cdef double[::1] at, share, links, paragraphs, blocks
        cdef int[::1] above = self.containers[:].copy(), nearest = array("i", bytes(4 * self.elements))
        cdef Py_ssize_t row, element
        cdef int level = 0
        cdef double size, least
        for wanted in _LEVELS:
            while level < wanted:
                level += 1
                for row in range(self.rows):
                    above[row] = max(0, self.parents[above[row]])
            share, links, paragraphs, blocks = self._column(), self._column(), self._column(), self._column()
            for row in range(self.rows):
                element = above[row]
                size = max(1, self.words_of[element])
                share[row] = self.words_of[element] / <double> self.total
                links[row] = self.linked_of[element] / size
                paragraphs[row] = self.paragraphs_of[element] / size
                blocks[row] = self.blocks_of[element]
        for part in _PARAGRAPH_SHARES:
            least = <double> part * max(1, self.paragraphs_of[0])
            for element in range(self.elements):
                nearest[element] = nearest[self.parents[element]] if self.parents[element] >= 0 else -1
                if self.paragraphs_of[element] >= least:
                    nearest[element] = element
            at, share, links = self._column(), self._column(), self._column()
            for row in range(self.rows):
                element = nearest[self.containers[row]]
                at[row] = self.depths[self.containers[row]] - (self.depths[element] if element >= 0 else 0)
                element = max(0, element)
                share[row] = self.words_of[element] / <double> self.total
                links[row] = self.linked_of[element] / <double> max(1, self.words_of[element])
        return 0

    cdef int _likeness(self) except -1:
        cdef double[::1] count = self._column(), size = self._column(), links = self._column()
        cdef double[::1] share = self._column(), covered, own_share, after, is_title
        cdef Py_ssize_t row, number, title = self.measures.title_block[0], heading = self.measures.first_heading
        cdef Py_ssize_t common, distinct
        self._count_alike(count, size, links)
        for row in range(self.rows):
            share[row] = size[row] / self.total
            size[row], links[row] = size[row] / count[row], links[row] / size[row]
        words = self.measures.word_sets
        for wanted in (self.measures.title_words, self.measures.description_words):
            covered, own_share = self._column(), self._column()
            for row in range(self.rows if wanted else 0):
                distinct = len(<frozenset> words[self.numbers[row]])
                common = len(<frozenset> (words[self.numbers[row]] & wanted))
                covered[row] = common / <double> len(<frozenset> wanted)
                own_share[row] = common / <double> distinct
        after = self._column()
        self._constant(self.measures.title_block[1])
        for row in range(self.rows):
            after[row] = self.numbers[row] - title if title >= 0 else _unknown
        after, is_title = self._column(), self._column()
        for row in range(self.rows):
            after[row] = self.numbers[row] - heading if heading >= 0 else _unknown
            is_title[row] = self.numbers[row] == title
        return 0

    cdef int _count_alike(self, double[::1] count, double[::1] size, double[::1] links) except -1:
        """Count the blocks of each block's kind, their words, and their words in links."""
        cdef list blocks = self.measures.blocks
        cdef int[::1] kind_of = array("i", bytes(4 * self.elements)), kinds = array("i", bytes(4 * self.blocks))
        cdef int[::1] counts = array("i", bytes(4 * self.blocks)), words = array("i", bytes(4 * self.blocks))
        cdef int[::1] linked = array("i", bytes(4 * self.blocks))
        cdef Py_ssize_t number, element, row
        cdef int kind
        cdef dict known = {}
        for number in range(self.blocks):
            element = blocks[number].container
            if not kind_of[element]:
                kind_of[element] = 1 + <int> known.setdefault(self._kind(element), len(known))
            kinds[number] = kind = kind_of[element] - 1
            counts[kind] += 1
            words[kind] += self.sizes[number]
            linked[kind] += self.linked[number]
        for row in range(self.rows):
            kind = kinds[self.numbers[row]]
            count[row], size[row], links[row] = counts[kind], words[kind], linked[kind]
        return 0

    cdef tuple _kind(self, Py_ssize_t element):
        cdef list kind = []
        cdef int level
        for level in range(_kind_levels):
            if element < 0:
                break
            kind.append((self.tags[element], _names(self.measures, self.names, element)))
            element = self.parents[element]
        return tuple(kind)


cdef int[::1] _before(int[::1] column):
    """Return the sums of all values before each, and of all."""
    cdef int[::1] sums = array("i", bytes(4 * (column.shape[0] + 1)))
    cdef Py_ssize_t number
    for number in range(column.shape[0]):
        sums[number + 1] = sums[number] + column[number]
    return sums
