"""Text that tries to be more than text, and ways to put it into a run."""

import json

MARKUP = '<script>alert(1)</script><img src="http://127.0.0.1:9/beacon">'
HOSTILE = f"{MARKUP} ![b](http://127.0.0.1:9/b.png) $x^2$ **bold** [l](http://x.y) :material/home: \u202eabc\x07\ud800"


def edit_json(path, change):
    """Let ``change`` change the object in a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def markdown_of(app):
    """Every text that Streamlit would read as Markdown: contents, labels, helps, tab names."""
    elements = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info, *app.success, *app.title]
    elements += [*app.subheader, *app.header]
    found = [element.value for element in elements]
    for kind in ("selectbox", "multiselect", "select_slider", "toggle", "text_input", "number_input", "button"):
        found += [str(widget.label) + str(getattr(widget, "help", "")) for widget in getattr(app, kind)]
    found += [element.label for element in (*app.download_button, *app.expander, *app.tabs)]
    return "\n".join(found)


def assert_is_only_text(app, html):
    """Nothing of :data:`HOSTILE` works as markup or Markdown on this page."""
    assert not app.exception
    assert "<script" not in html
    assert "<img" not in html
    assert "beacon" not in markdown_of(app)
    assert "b.png" not in markdown_of(app)
