import re

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.text import label, markup, plain_line, plot_text

HOSTILE = [
    "![beacon](http://evil.example/x.png)",
    "[click](javascript:alert(1))",
    "$x^2$ and $$y$$",
    "# heading",
    "**bold** _it_ `code` ~~no~~",
    ":red[alarm] :material/home: :smile:",
    "<img src=x onerror=alert(1)>",
    "> quote",
    "| a | b |",
    "&amp; &#36;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_escapes_every_sign_that_means_something_in_markdown(text):
    assert not re.search(r"(?<!\\)[!\[\]()$#*_`~<>|&:]", label(text, 200))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_reads_as_it_was_written_once_the_escapes_are_taken_away(text):
    assert re.sub(r"\\(.)", r"\1", label(text, 200)).replace("\u2060", "") == text


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("see https://evil.example/a", r"https?://"),
        ("see www.evil.example", r"www\."),
        ("write to a@evil.example", r"\w@\w"),
        (":material/home:", r":\w"),
        (":smile:", r":\w"),
        ("a -> b <- c", r"->|<-"),
    ],
)
def test_patterns_that_are_replaced_after_the_escapes_are_read_are_broken_up(text, pattern):
    assert not re.search(pattern, re.sub(r"\\(.)", r"\1", label(text)))


def test_a_label_is_one_short_line_without_control_characters_or_changes_of_direction():
    assert label("a\nb\tc\x00\x1b[31m\u202ed\u2066e", 80) == r"a b c\[31mde"
    assert plain_line("x" * 500, 20) == "x" * 19 + "…"


def test_a_label_of_a_megabyte_is_made_from_its_beginning():
    assert len(label("y " * 500_000)) <= 80


def test_letters_of_every_script_and_emoji_stay():
    assert plain_line("агент 代理 می‌خواهم 👩‍🔬") == "агент 代理 می‌خواهم 👩‍🔬"


def test_half_a_character_is_left_out():
    assert markup("a\ud800b") == "ab"


def test_markup_leaves_no_tag_and_no_attribute_open():
    assert markup("""<b a="1" b='2'>&""") == "&lt;b a=&quot;1&quot; b=&#x27;2&#x27;&gt;&amp;"


def test_text_in_a_figure_has_no_tags():
    assert plot_text('<a href="http://evil.example">x</a>') == '&lt;a href="http://evil.example"&gt;x&lt;/a&gt;'


def _show_all():
    from dashboard.text import show_code, show_error, show_message, show_text
    from langmarl.errors import UserMistake

    hostile = "<script>alert(1)</script> ![x](http://evil.example/x.png) $x$"
    show_text(hostile, height=200)
    show_code(hostile)
    show_message(hostile, "warning", remedy=hostile)
    show_error(UserMistake(hostile, hostile))


def test_content_is_drawn_only_as_escaped_html_or_plain_code():
    app = AppTest.from_function(_show_all).run()
    assert not app.exception
    assert not app.markdown
    bodies = [element.proto.body for element in app.get("html")]
    assert len(bodies) == 3
    assert all("&lt;script&gt;" in body and "<script" not in body for body in bodies)
    assert app.code[0].value.startswith("<script>")
    assert app.code[0].language in (None, "", "plaintext")


def test_an_error_is_announced_to_screen_readers_and_says_what_to_do():
    app = AppTest.from_function(_show_all).run()
    assert 'role="alert"' in app.get("html")[-1].proto.body
    assert app.get("html")[-1].proto.body.count("&lt;script&gt;") == 2
