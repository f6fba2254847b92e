# cython: language_level=3
"""Measure a template on a page, and apply it, in place."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc

from sitestencil.crawl.native_nodes cimport (
    ELEMENT_NODE, TEXT_NODE, Node, String, Text, count_elements, decoded, following, next_in,
)
from sitestencil.crawl.native_tree cimport NO_ELEMENT, NOT_COMPARED, NodeTree, class_of, id_of

from sitestencil.crawl.pairing import SHAPE as _SHAPE, Verdict
from sitestencil.page.sketch import LONGEST_CLASSES as _LONGEST_CLASSES, identity_of, kind_of_classes

cdef int _most_first_kinds = _SHAPE
cdef Py_ssize_t _longest_classes = _LONGEST_CLASSES
cdef object _TAKE = Verdict.TAKE


cdef class NativeNodes:
    """A cache of a page's nodes.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
    """

    cdef NodeTree tree
    cdef dict _children

    def __cinit__(self, root):
        self.tree = NodeTree(root)
        self._children = {}

    cdef NativeChildren children(self, Node *node):
        """Return a node's children, from the cache or newly read."""
        cdef NativeChildren known = self._children.get(<size_t> node)
        if known is None:
            known = self._children[<size_t> node] = _read(self.tree, node)
        return known

    cdef int measure(self, Node *top, Py_ssize_t *elements, Py_ssize_t *text_bytes) except -1:
        """Measure a subtree: its elements, and the bytes of its texts."""
        cdef Node *node = top
        cdef int marks
        elements[0] = text_bytes[0] = 0
        while node != NULL:
            if node.type == TEXT_NODE:
                text_bytes[0] += _text_bytes(&(<Text *> node).text)
            elif node.type == ELEMENT_NODE:
                marks = self.tree.marks(node)
                if marks & NOT_COMPARED and node != top:
                    elements[0] += count_elements(node)
                    node = following(node, top)
                    continue
                elements[0] += 1
            node = next_in(node, top)
        return 0


cdef inline Py_ssize_t _text_bytes(String *text) noexcept nogil:
    cdef Py_ssize_t size = 0
    cdef size_t position
    if text.data != NULL:
        for position in range(text.length):
            size += <unsigned char> text.data[position] > 0x20
    return size


cdef class NativeChildren:
    """The children of a node."""

    cdef NodeTree _tree
    cdef Node *node
    cdef Node **nodes
    cdef Py_ssize_t count
    cdef readonly list tags
    cdef readonly tuple kinds
    cdef tuple _identities
    cdef tuple _shapes

    def __dealloc__(self):
        PyMem_Free(self.nodes)

    cdef inline Node *node_at(self, Py_ssize_t number) except NULL:
        if not 0 <= number < self.count:
            raise IndexError(number)
        return self.nodes[number]

    @property
    def identities(self) -> tuple:
        """The identities of the compared elements."""
        cdef Py_ssize_t number
        if self._identities is None:
            self._identities = tuple(
                [identity_of(self.tags[number], id_of(self.nodes[number])) for number in range(self.count)]
            )
        return self._identities

    @property
    def shapes(self) -> tuple:
        """The kinds of the compared elements, each with the kinds of its first children."""
        cdef Py_ssize_t number
        if self._shapes is None:
            self._shapes = tuple([self._shape(number) for number in range(self.count)])
        return self._shapes

    cdef tuple _shape(self, Py_ssize_t number):
        cdef list kinds = [self.kinds[number]]
        cdef Node *child = self.nodes[number].first_child
        while child != NULL:
            if not self._tree.marks(child) & (NO_ELEMENT | NOT_COMPARED):
                kinds.append(_kind(child, self._tree.name(child)))
                if len(kinds) > _most_first_kinds:
                    break
            child = child.next
        return tuple(kinds)


cdef str _kind(Node *node, str tag):
    cdef str classes = class_of(node) if tag != "body" else ""
    return kind_of_classes(tag, classes[:_longest_classes]) if classes else tag


cdef NativeChildren _read(NodeTree tree, Node *node):
    cdef NativeChildren read = NativeChildren.__new__(NativeChildren)
    cdef list tags = [], kinds = []
    cdef str tag
    cdef Py_ssize_t count = 0
    cdef Node *child = node.first_child
    while child != NULL:
        count += 1
        child = child.next
    read._tree = tree
    read.node = node
    read.nodes = <Node **> PyMem_Malloc(max(1, count) * sizeof(Node *))
    if read.nodes == NULL:
        raise MemoryError
    child = node.first_child
    while child != NULL:
        if not tree.marks(child) & (NO_ELEMENT | NOT_COMPARED):
            tag = tree.name(child)
            read.nodes[read.count] = child
            read.count += 1
            tags.append(tag)
            kinds.append(_kind(child, tag))
        child = child.next
    read.tags = tags
    read.kinds = tuple(kinds)
    return read



cdef class NativeEntered:
    """An element with template and content, and a step for each of its compared children."""

    cdef object element, rule
    cdef NativeChildren children
    cdef list steps


cdef class NativeMeasuring:
    """Enter the mixed elements of a page.

    Attributes:
        paths: the numbers of the paths that the page has.
        looked_at: the number of children of mixed elements.
        known: the number of those with a rule.
        entered: the root.
    """

    cdef NativeNodes _page
    cdef object _pairings
    cdef readonly set paths
    cdef readonly Py_ssize_t looked_at
    cdef readonly Py_ssize_t known
    cdef readonly NativeEntered entered

    def __init__(self, NativeNodes page, pairings):
        self._page = page
        self._pairings = pairings
        self.paths = set()
        self.entered = self._enter(page.tree.top, 0)

    cdef NativeEntered _enter(self, Node *node, element):
        cdef NativeChildren children = self._page.children(node)
        cdef NativeEntered entered = NativeEntered.__new__(NativeEntered)
        cdef Py_ssize_t number, elements, text_bytes
        cdef Node *child
        pairing = self._pairings[element]
        paired = pairing.of(children)
        self.looked_at += children.count
        self.known += paired.known
        self.paths |= paired.paths
        cdef list steps = list(paired.rules)
        for place, rule in paired.mixed:
            number = place
            child = children.node_at(number)
            steps[number] = self._enter(child, rule.element)
        for place, rule in paired.template:
            number = place
            child = children.node_at(number)
            self._page.measure(child, &elements, &text_bytes)
            if elements != <Py_ssize_t> rule.size or text_bytes != <Py_ssize_t> rule.text_bytes:
                steps[number] = self._enter(child, rule.element)
        entered.element, entered.rule = element, pairing.rule
        entered.children, entered.steps = children, steps
        return entered


cdef inline bint _is_ascii_space(unsigned char byte) noexcept nogil:
    return byte == 0x20 or 0x09 <= byte <= 0x0D or 0x1C <= byte <= 0x1F


cdef bint _is_space(const char *text, size_t length) except -1:
    """Return whether a text is only white space, as `str.isspace`."""
    cdef size_t position
    for position in range(length):
        if not _is_ascii_space(text[position]):
            return <unsigned char> text[position] >= 0x80 and decoded(text, length).isspace()
    return length > 0


cdef class NativeWalk:
    """Tell which elements and texts of a page are template.

    Args:
        page: the page.
        entered: its measured root; None if the template is empty.

    Attributes:
        template: per element, whether it is template.
        template_texts: the same per text.
        entered: the number of each entered element, and that of the learned element whose rules it has.
        passed: the same of the elements that are known as a whole.
    """

    cdef NodeTree _tree
    cdef readonly list template, template_texts, entered, passed

    def __init__(self, NativeNodes page, NativeEntered entered):
        self.template, self.template_texts, self.entered, self.passed = [], [], [], []
        self._tree = page.tree
        if entered is None:
            self._add(self._tree.top, False)
        else:
            self._enter(entered)

    cdef int _enter(self, NativeEntered entered) except -1:
        cdef NativeChildren children = entered.children
        cdef bint is_template = entered.rule.is_template, text_is_template
        cdef list texts = list(entered.rule.texts)
        cdef Py_ssize_t number = 0, text_number = 0
        cdef Node *child = children.node.first_child
        cdef String *text
        cdef int marks
        self.entered.append((len(self.template), entered.element))
        self.template.append(is_template)
        while child != NULL:
            if child.type == TEXT_NODE:
                text = &(<Text *> child).text
                text_is_template = is_template
                if text.data == NULL or not _is_space(text.data, text.length):
                    if is_template and text_number < len(texts):
                        text_is_template = texts[text_number]
                    text_number += 1
                self.template_texts.append(text_is_template)
            else:
                marks = self._tree.marks(child)
                if marks & NOT_COMPARED:
                    self._add(child, is_template)
                elif not marks & NO_ELEMENT:
                    self._follow(entered.steps[number], child)
                    number += 1
            child = child.next
        return 0

    cdef int _follow(self, step, Node *child) except -1:
        if isinstance(step, NativeEntered):
            return self._enter(<NativeEntered> step)
        if step is not None:
            self.passed.append((len(self.template), step.element))
        return self._add(child, step is not None and step.verdict is not _TAKE)

    cdef int _add(self, Node *top, bint is_template) except -1:
        cdef Node *node = top
        while node != NULL:
            if node.type == TEXT_NODE:
                self.template_texts.append(is_template)
            elif node.type == ELEMENT_NODE:
                self.template.append(is_template)
            node = next_in(node, top)
        return 0
