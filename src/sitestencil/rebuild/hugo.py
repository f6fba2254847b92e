"""Write the project's layouts for Hugo, as plain text: its HTML templates would change styles and attributes."""

import re
from collections.abc import Mapping

from sitestencil.rebuild.layouts import Syntax, layouts_of
from sitestencil.rebuild.model import Model
from sitestencil.rebuild.pages import OTHER
from sitestencil.rebuild.project import with_layout

_OPENING = re.compile(r"\{(?=\{|\Z)")
_SLOTS = '{{ $s := .Scratch.Get "s" }}'
_CONFIG = """\
baseURL = "/"
uglyURLs = true
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]

[markup.goldmark.renderer]
unsafe = true

[markup.goldmark.parser]
autoHeadingID = false

[markup.goldmark.extensions]
typographer = false
linkify = false

[markup.highlight]
codeFences = false

[outputFormats.HTML]
mediaType = "text/html"
baseName = "index"
isPlainText = true # the layouts write values that are HTML already
isHTML = true
permalinkable = true
"""
# As `jinja_build.values_of`.
_VALUES = """\
{{- $page := . -}}
{{- $path := strings.TrimPrefix "/" (.Params.url | default .RelPermalink) -}}
{{- $root := strings.Repeat (strings.Count "/" $path) "../" | default "./" -}}
{{- $mark := site.Data.site.root -}}
{{- $kind := .Params.kind | default "other" -}}
{{- $rules := index site.Data.facets $kind | default (index site.Data.facets (index site.Data.site.kinds 0)) -}}
{{- $own := .Params.slots | default dict -}}
{{- $folders := after 0 (split $path "/") -}}
{{- $deep := sub (len $folders) 1 -}}
{{- $address := .Params.address | default "" -}}
{{- $title := .Params.title | default "" -}}
{{- $date := .Params.stated_date | default "" -}}
{{- $day := slice "" "" "" -}}
{{- with findRE "^[0-9]{4}-[0-9]{2}-[0-9]{2}" $date }}{{ $day = split (index . 0) "-" }}{{ end -}}
{{- $told := dict
  "section" (cond (gt $deep 0) (index $folders 0) "")
  "subsection" (delimit (first (cond (gt $deep 2) 2 $deep) $folders) "/")
  "language" (.Params.language | default "")
  "author" (.Params.author | default "")
  "has_description" (cond (ne (.Params.description | default "") "") "yes" "no")
  "has_date" (cond (isset .Params "stated_date") "yes" "no")
  "has_author" (cond (ne (.Params.author | default "") "") "yes" "no") -}}
{{- $known := dict
  "title" $title
  "description" (.Params.description | default "")
  "author" (.Params.author | default "")
  "date" $date
  "year" (index $day 0)
  "month" (strings.TrimPrefix "0" (index $day 1))
  "month_2" (index $day 1)
  "day" (strings.TrimPrefix "0" (index $day 2))
  "day_2" (index $day 2)
  "address" $address
  "address_path" ((urls.Parse $address).EscapedPath)
  "link" (print $mark (replace (replace (urlquery $path) "+" "%20") "%2F" "/"))
  "quoted_address" (replace (urlquery $address) "+" "%20")
  "quoted_title" (replace (urlquery $title) "+" "%20") -}}
{{- $s := newScratch -}}
{{- $s.Set "v" dict -}}
{{- range $name, $value := $rules.defaults }}{{ $s.SetInMap "v" $name $value }}{{ end -}}
{{- range $facet, $table := $rules.facets -}}
  {{- range $name, $one := index $table (index $told $facet) }}{{ $s.SetInMap "v" $name $one }}{{ end -}}
{{- end -}}
{{- range $name, $of_link := $rules.links -}}
  {{- range $here := slice $address $known.link -}}
    {{- if isset $of_link $here }}{{ $s.SetInMap "v" $name (index $of_link $here) }}{{ end -}}
  {{- end -}}
{{- end -}}
{{- range $name, $pattern := $rules.patterns -}}
  {{- $made := "" -}}
  {{- $is_whole := true -}}
  {{- range $at, $part := $pattern -}}
    {{- if modBool $at 2 }}{{ $made = print $made $part -}}
    {{- else -}}
      {{- $field := index $known $part | default "" -}}
      {{- if eq $part "month_name" }}{{ $field = index $rules.months $name $known.month | default "" }}{{ end -}}
      {{- if eq $field "" }}{{ $is_whole = false }}{{ end -}}
      {{- $made = print $made (cond (in $rules.texts $name) $field (htmlEscape $field)) -}}
    {{- end -}}
  {{- end -}}
  {{- if $is_whole }}{{ $s.SetInMap "v" $name $made }}{{ end -}}
{{- end -}}
{{- range $name, $value := $own }}{{ $s.SetInMap "v" $name $value }}{{ end -}}
{{- range $name, $copy := $rules.copies -}}
  {{- $of := index ($s.Get "v") (index $copy 1) -}}
  {{- if and (not (isset $own $name)) (eq (printf "%T" $of) "string") (ne $of "") -}}
    {{- $s.SetInMap "v" $name (print (index $copy 0) $of (index $copy 2)) -}}
  {{- end -}}
{{- end -}}
{{- range $name, $menu := site.Data.menus -}}
  {{- with index ($s.Get "v") $name | default " " -}}
    {{- $links := split . " " -}}
    {{- $items := slice -}}
    {{- range $item := $menu.items -}}
      {{- $item = merge $menu.each $item -}}
      {{- if in $links $item.link }}{{ $item = merge $item $menu.active ($item.active | default dict) }}{{ end -}}
      {{- $items = $items | append $item -}}
    {{- end -}}
    {{- $s.SetInMap "v" $name $items -}}
  {{- end -}}
{{- end -}}
{{- $page.Scratch.Set "s" (replace (jsonify ($s.Get "v")) $mark $root | transform.Unmarshal) -}}
{{- $page.Scratch.Set "root" $root -}}
{{- $main := cond (eq .File.Ext "md") .Content (.RawContent | safeHTML) -}}
{{- $page.Scratch.Set "main" (replace $main $mark $root) -}}
"""


_HUGO = Syntax(
    escape=lambda text: _OPENING.sub('{{ "{" }}', text),
    root='{{ $.Scratch.Get "root" }}',
    main='{{ $.Scratch.Get "main" }}',
    html='{{ index OF "NAME" }}',
    attribute='{{ if ne (index OF "NAME") nil }} ATTRIBUTE="{{ index OF "NAME" | htmlEscape }}"{{ end }}',
    option='{{ if index OF "NAME" }}INSIDE{{ end }}',
    each='{{ range $at, $item := index OF "NAME" }}INSIDE{{ end }}',
    between="{{ if $at }}INSIDE{{ end }}",
    block=f'{{{{ block "NAME" . }}}}{_SLOTS}INSIDE{{{{ end }}}}',
    filled=f'{{{{ define "NAME" }}}}{_SLOTS}INSIDE{{{{ end }}}}',
    include='{{ partial "NAME.html" . }}',
    of="$s",
    item="$item",
)


def hugo_files(model: Model, shared: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a project for Hugo by path; `shared` are content and data."""
    layouts = layouts_of(model, _HUGO)
    kinds = {kind: "\n".join(['{{ define "none" }}{{ end }}', *of, ""]) for kind, of in layouts.kinds.items()}
    files = {f"layouts/_default/{kind}.html": text for kind, text in kinds.items()}
    files["layouts/_default/single.html"] = kinds.get(OTHER) or next(iter(kinds.values()))
    files["layouts/_default/baseof.html"] = f'{{{{- partial "values.html" . -}}}}{_SLOTS}{layouts.base}'
    files |= {f"layouts/partials/{name}.html": f"{_SLOTS}{text}" for name, text in layouts.partials.items()}
    for path, text in shared.items():
        files |= _content(path, text) if path.startswith("content/") else {path: text}
    return {**files, "layouts/partials/values.html": _VALUES, "hugo.toml": _CONFIG}


def _content(path: str, text: str) -> dict[str, str]:
    """Return a content file as Hugo has it: no file is named index, which would make the folder one page."""
    place = path.partition("/")[2]
    folder, slash, name = place.rpartition("/")
    name = f"page-{name}" if name.startswith(("index.", "_index.", "page-")) else name
    _, head, main = with_layout(text).split("---\n", 2)
    # Of a file without content, Hugo takes the fields for its content, and it drops white space at the end.
    main += "<!-- end -->" if not main.strip() or (main[-1].isspace() and f'"{OTHER}"' in head) else ""
    url = re.sub(r"\.md$", ".html", place)
    return {f"content/{folder}{slash}{name}": f'---\n{head}url: "/{url}"\n---\n{main}'}
