"""HTML and the namespaces and names of the elements that browsers make of it, in document order."""

NAMESPACES = [
    ("<p>x<b>y</b></p>", "html:p html:b"),
    ("<svg><g><path></g></svg><p>", "svg:svg svg:g svg:path html:p"),
    (
        "<svg><lineargradient/><foreignobject><p><svg><g>",
        "svg:svg svg:linearGradient svg:foreignObject html:p svg:svg svg:g",
    ),
    ("<svg><desc><b>x</b></desc><title><i>y</i></title></svg>", "svg:svg svg:desc html:b svg:title html:i"),
    ("<svg><section><a></a></section></svg>", "svg:svg svg:section svg:a"),
    ("<svg><g><div>x</div>", "svg:svg svg:g html:div"),
    ("<svg><math><mi></mi></math></svg>", "svg:svg svg:math svg:mi"),
    ("<math><mi><b>x</b></mi><mo><svg><g/></svg></mo></math>", "math:math math:mi html:b math:mo svg:svg svg:g"),
    ("<math><mi><mglyph></mglyph></mi></math>", "math:math math:mi math:mglyph"),
    ("<math><svg><g/></svg></math>", "math:math math:svg math:g"),
    (
        "<math><annotation-xml><svg><g/></svg></annotation-xml></math>",
        "math:math math:annotation-xml svg:svg svg:g",
    ),
    ("<math><annotation-xml><a>x</a></annotation-xml></math>", "math:math math:annotation-xml math:a"),
    (
        '<math><annotation-xml encoding="Text/HTML"><a>x</a><math></math></annotation-xml></math>',
        "math:math math:annotation-xml html:a math:math",
    ),
    (
        "<table><tr><td><svg><style>p{}</style></svg></table>",
        "html:table html:tbody html:tr html:td svg:svg svg:style",
    ),
    (
        "<math><mtext><table><mglyph><style><!--</style><p>x</p></mglyph></table></mtext></math>",
        "math:math math:mtext html:mglyph html:style html:p html:table",
    ),
    (
        "<math><mtext><mglyph></mglyph><b><table></table></b></mtext></math>",
        "math:math math:mtext math:mglyph html:b html:table",
    ),
    ("<svg><font>x</font><font color=red>y</font></svg>", "svg:svg svg:font html:font"),
]
