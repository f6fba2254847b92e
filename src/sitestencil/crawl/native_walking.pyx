# cython: language_level=3
"""Measure a template on a page, and apply it, in place."""

from sitestencil.crawl.native_children cimport NOT_COMPARED, NativeChildren, NativeNodes
from sitestencil.crawl.native_lines cimport is_space
from sitestencil.crawl.native_nodes cimport ELEMENT_NODE, TEXT_NODE, Node, String, Text, next_in
from sitestencil.crawl.native_tree cimport NO_ELEMENT, NodeTree

from sitestencil.crawl.pairing import Verdict

cdef object _TAKE = Verdict.TAKE


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
                if text.data == NULL or not is_space(text.data, text.length):
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
