import random
import re

import pytest

from dashboard.worddiff import (
    Block,
    Piece,
    count_words,
    diff_words,
    inline_html,
    side_by_side_html,
    without_same,
)


def pieces_of(old, new):
    return [(piece.kind, piece.text) for block in diff_words(old, new) for piece in block.pieces]


def one_side(blocks, leaving_out):
    return "".join(piece.text for block in blocks for piece in block.side(leaving_out))


def random_text(seed, size):
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(400)] + ["the", "of", "and", "a"] * 60
    lines = []
    while sum(map(len, lines)) < size:
        lines.append(" ".join(chance.choice(words) for _ in range(12)) + ".")
    return "\n".join(lines)


def test_a_word_that_was_put_in_is_added_and_the_rest_stays():
    assert pieces_of("Be brief.", "Be very brief.") == [("same", "Be "), ("added", "very "), ("same", "brief.")]


def test_a_word_that_was_replaced_is_removed_and_then_added():
    found = pieces_of("Quote one exact sentence of it.", "Quote two exact sentences of it.")
    assert ("removed", "one") in found
    assert found.index(("removed", "one")) + 1 == found.index(("added", "two"))


def test_lines_that_stayed_are_not_touched_by_a_change_above_them():
    blocks = diff_words("a\nsame line\nb\n", "x\nsame line\ny\n")
    assert [block.pieces for block in blocks if not block.changed] == [(Piece("same", "same line\n"),)]


def test_a_base_that_goes_on_is_not_marked_as_changed():
    first, *rest = diff_words("The base.", "The base.\n\n# Learned\n- Be brief.")
    assert first == Block((Piece("same", "The base."),))
    assert all(piece.kind == "added" for block in rest for piece in block.pieces)


def test_what_has_hardly_a_word_in_common_counts_as_replaced_whole():
    old, new = "The cat sat on the mat in the hall", "Multiply the seven numbers of every column first"
    assert pieces_of(old, new) == [("removed", old), ("added", new)]


@pytest.mark.parametrize("seed", range(60))
def test_both_texts_can_be_read_back_from_the_pieces(seed):
    chance = random.Random(seed)
    old, new = ("".join(chance.choice("ab .\n\r\t") for _ in range(chance.randrange(60))) for _ in range(2))
    blocks = diff_words(old, new)
    assert one_side(blocks, "added") == old
    assert one_side(blocks, "removed") == new
    assert all(piece.text for block in blocks for piece in block.pieces)


@pytest.mark.parametrize("join", ["\n", " "])
def test_long_unrelated_texts_are_compared_and_can_be_read_back(join):
    old, new = (random_text(seed, 50_000).replace("\n", join) for seed in (1, 2))
    blocks = diff_words(old, new)
    assert one_side(blocks, "added") == old
    assert one_side(blocks, "removed") == new


def test_scattered_changes_of_a_long_text_are_found_word_by_word():
    old = random_text(1, 50_000)
    new = re.sub(r"\bword7\b", "changed", old)
    count = count_words(diff_words(old, new))
    assert count.added == count.removed == len(re.findall(r"\bword7\b", old))


def test_equal_texts_have_no_change():
    assert not any(block.changed for block in diff_words("a\nb", "a\nb"))
    assert diff_words("", "") == []


def test_the_marks_do_not_rest_on_colour_alone():
    html = inline_html(diff_words("keep this old word", "keep this new word"))
    assert re.search(r"<del [^>]*line-through[^>]*>old</del>", html)
    assert re.search(r"<ins [^>]*underline[^>]*>new</ins>", html)


@pytest.mark.parametrize("draw", [inline_html, lambda blocks: side_by_side_html(blocks, "<b>old</b>", "new")])
def test_text_stays_text(draw):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    html = draw(diff_words(hostile, f"{hostile} and more"))
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html


def test_characters_without_a_look_are_shown_by_number():
    html = inline_html(diff_words("ab", "a\u202eb\x07\u200b\r\ud800"))
    for number in ("202E", "0007", "200B", "000D", "D800"):
        assert f"⟨U+{number}⟩" in html
    html.encode("utf-8")


def test_line_ends_and_blanks_are_kept_and_a_new_blank_line_has_a_sign():
    html = inline_html(diff_words("one\ntwo  x", "one\n\ntwo  x"))
    assert "white-space:pre-wrap" in html
    assert "two  x" in html
    assert re.search(r"<ins [^>]*><span [^>]*>↵</span>\n</ins>", html)


def test_side_by_side_puts_what_went_left_and_what_came_right():
    html = side_by_side_html(diff_words("the old word stays", "the new word stays"), "A", "B")
    row = re.search(r"<tbody><tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td></tr>", html)
    assert "old" in row.group(1)
    assert "new" not in row.group(1)
    assert "new" in row.group(2)
    assert "old" not in row.group(2)


def test_long_stretches_that_stayed_can_be_left_out():
    same = "".join(f"line {number}\n" for number in range(20))
    shortened = without_same(diff_words(f"{same}end", f"{same}other"), context=2)
    assert [block.omitted for block in shortened if block.omitted] == [18]
    assert shortened[1].pieces[0].text == "line 18\nline 19\n"
    assert "18 lines that stayed the same" in inline_html(shortened)
    assert "18 lines that stayed the same" in side_by_side_html(shortened, "A", "B")


def test_changes_are_never_left_out():
    blocks = diff_words(random_text(1, 5_000), random_text(2, 5_000))
    assert [block for block in without_same(blocks) if block.changed] == [block for block in blocks if block.changed]
