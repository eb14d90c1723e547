"""What changed between two texts, word by word, and how that looks as HTML.

Lines are compared first and words only inside lines that changed: policies are rewritten line by line, and comparing
all words with all words takes seconds on long texts. Every piece of text in the HTML is escaped; characters that a
browser would not show (control characters, marks of writing direction) appear as their number, because a change of
policy must not be able to hide.
"""

from __future__ import annotations

import difflib
import html
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dashboard.theme import ADDED, REMOVED, translucent

Kind = Literal["same", "added", "removed"]

_TOKEN = re.compile(r"\n|[^\S\n]+|\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SENTENCE = re.compile(r"\n+|[^\n.!?]+[.!?]*[^\S\n]*|[.!?]+[^\S\n]*")
_WORK_LIMIT = 30_000
_LEAST_ALIKE = 0.3
_JOINERS = {"\u200c", "\u200d"}  # scripts such as Persian, and emoji, are written with them


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that is the same on both sides, or only on one.

    Attributes:
        kind: ``same``, ``added`` (only in the new text) or ``removed`` (only in the old one).
        text: The stretch, never empty.
    """

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of the two texts that belong beside each other.

    Attributes:
        pieces: In the order of an inline diff; the old lines are those without what was added, the new ones those
            without what was removed.
        omitted: Lines that are the same on both sides and were left out here, see :func:`without_same`; then there are
            no pieces.
        continues: Whether it begins with a line end that belongs to the line above it.
    """

    pieces: tuple[Piece, ...]
    omitted: int = 0
    continues: bool = False

    @property
    def changed(self) -> bool:
        """Whether the two sides differ."""
        return any(piece.kind != "same" for piece in self.pieces)

    def side(self, leaving_out: Kind) -> list[Piece]:
        """One side: the old one leaves out ``added``, the new one ``removed``."""
        return [piece for piece in self.pieces if piece.kind != leaving_out]


@dataclass(frozen=True, slots=True)
class WordCount:
    """How large a change is.

    Attributes:
        added: Words that only the new text has.
        removed: Words that only the old text has.
    """

    added: int
    removed: int


def diff_words(old: str, new: str) -> list[Block]:
    """Compare two texts.

    The pieces of all blocks, without those added, give ``old`` back, character for character; without those removed,
    ``new``. A stretch in which hardly a word stayed counts as replaced whole: scattered matches of "the" and "of" tell
    nobody anything.

    Args:
        old: The earlier text.
        new: The later text.
    """
    before, after = _LINE.findall(old), _LINE.findall(new)
    blocks: list[Block] = []
    old_end = new_end = ""  # the end of a last line that goes on on the other side; it belongs to what follows there
    for match in _matches([line.rstrip("\n") for line in before], [line.rstrip("\n") for line in after]):
        gone, came = old_end + "".join(before[match.old]), new_end + "".join(after[match.new])
        continues = bool(old_end or new_end)
        old_end = new_end = ""
        if match.same and not continues:
            same = gone if len(gone) <= len(came) else came
            old_end, new_end = gone[len(same) :], came[len(same) :]
            blocks.append(Block((Piece("same", same),)))
        else:
            blocks.append(Block(tuple(_changed_lines(gone, came)), continues=continues))
    if old_end or new_end:
        blocks.append(Block(tuple(_replaced(old_end, new_end)), continues=True))
    return blocks


def count_words(blocks: Sequence[Block]) -> WordCount:
    """The words that came and went."""
    counts: Counter[Kind] = Counter()
    for block in blocks:
        for piece in block.pieces:
            counts[piece.kind] += len(re.findall(r"\w+", piece.text)) if piece.kind != "same" else 0
    return WordCount(counts["added"], counts["removed"])


def without_same(blocks: Sequence[Block], context: int = 2) -> list[Block]:
    """The blocks with only ``context`` lines left around each change; what is left out is counted.

    Args:
        blocks: From :func:`diff_words`.
        context: Lines kept before and after a change.
    """
    shortened: list[Block] = []
    for place, block in enumerate(blocks):
        lines = [] if block.changed else _LINE.findall("".join(piece.text for piece in block.pieces))
        head = context if place > 0 else 0
        tail = context if place < len(blocks) - 1 else 0
        omitted = len(lines) - head - tail
        if omitted < 2:  # the note that one line was left out would be as long as the line
            shortened.append(block)
            continue
        parts = (lines[:head], lines[head + omitted :])
        before, after = (_same_block(part) for part in parts)
        shortened += [*before, Block((), omitted), *after]
    return shortened


def inline_html(blocks: Sequence[Block], *, max_height: int | None = None) -> str:
    """One text, with what was removed struck through and what was added underlined, for ``st.html``.

    Args:
        blocks: From :func:`diff_words`.
        max_height: In pixels, beyond which it scrolls inside; None: as high as the text.
    """
    body = "".join(_inline_block(block) for block in blocks)
    return f'<div class="langmarl-diff" style="{_BOX}{_scroll(max_height)}" tabindex="0">{body}</div>'


def side_by_side_html(blocks: Sequence[Block], old_title: str, new_title: str, *, max_height: int | None = None) -> str:
    """The old text on the left, the new one on the right, lines that belong together beside each other.

    Args:
        blocks: From :func:`diff_words`.
        old_title: Heads the left side.
        new_title: Heads the right side.
        max_height: In pixels, beyond which both scroll together; None: as high as the text.
    """
    rows = "".join(map(_row, blocks))
    heads = "".join(f'<th scope="col" style="{_HEAD}">{_visible(title)}</th>' for title in (old_title, new_title))
    return (
        f'<div class="langmarl-diff" style="{_FRAME}{_scroll(max_height)}" tabindex="0">'
        f'<table style="{_TABLE}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


# How it looks

_LINE_GREY = "rgba(128,128,128,0.35)"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.55;"
_FRAME = f"border:1px solid {_LINE_GREY};border-radius:6px;"
_BOX = f"{_FRAME}{_TEXT}padding:0.7rem 1rem;"
_TABLE = "width:100%;border-collapse:collapse;table-layout:fixed;margin:0;"
_HEAD = f"text-align:left;padding:0.45rem 1rem;border-bottom:1px solid {_LINE_GREY};width:50%;font-weight:600;"
_CELL = f"vertical-align:top;padding:0.1rem 1rem;border:0;{_TEXT}"
_OMITTED = "text-align:center;opacity:0.7;font-size:0.9em;padding:0.3rem;border:0;background:rgba(128,128,128,0.08);"
_MARKS = {
    "added": (
        "ins",
        f"text-decoration:underline;text-decoration-thickness:2px;text-decoration-color:{ADDED};"
        f"background:{translucent(ADDED, 0.22)};border-radius:2px;color:inherit;",
    ),
    "removed": (
        "del",
        f"text-decoration:line-through;text-decoration-thickness:2px;text-decoration-color:{REMOVED};"
        f"background:{translucent(REMOVED, 0.22)};border-radius:2px;color:inherit;",
    ),
}
_LINE_END = '<span aria-hidden="true" style="opacity:0.6;user-select:none;">↵</span>\n'


def _inline_block(block: Block) -> str:
    if block.omitted:
        return f'<div style="{_OMITTED}">{_omission(block)}</div>'
    return "".join(map(_piece_html, block.pieces))


def _row(block: Block) -> str:
    if block.omitted:
        return f'<tr><td colspan="2" style="{_OMITTED}">{_omission(block)}</td></tr>'
    return f"<tr>{_cell(block.side('added'), 'removed', block)}{_cell(block.side('removed'), 'added', block)}</tr>"


def _omission(block: Block) -> str:
    return f"⋯ {block.omitted:,} lines that stayed the same ⋯"


def _same_block(lines: Sequence[str]) -> list[Block]:
    return [Block((Piece("same", "".join(lines)),))] if lines else []


def _cell(pieces: Sequence[Piece], kind: Kind, block: Block) -> str:
    tint = f"background:{translucent(ADDED if kind == 'added' else REMOVED, 0.06)};" if block.changed else ""
    body = "".join(map(_piece_html, pieces))
    if block.continues and pieces and pieces[0].text.startswith("\n"):
        # Beside each other, a block begins on a line of its own anyway.
        first = Piece(pieces[0].kind, pieces[0].text[1:])
        body = (_piece_html(first) if first.text else "") + "".join(map(_piece_html, pieces[1:]))
    return f'<td style="{_CELL}{tint}">{body}</td>'


def _piece_html(piece: Piece) -> str:
    text = _visible(piece.text)
    if piece.kind == "same":
        return text
    tag, style = _MARKS[piece.kind]
    if not piece.text.strip():  # a line end that came or went has no width: only a sign shows it
        text = text.replace("\n", _LINE_END)
    return f'<{tag} style="{style}">{text}</{tag}>'


def _scroll(max_height: int | None) -> str:
    return "" if max_height is None else f"max-height:{max_height}px;overflow-y:auto;"


def _visible(text: str) -> str:
    """Escaped, and with a number for every character that has no look of its own."""
    if not (text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()):
        text = "".join(map(_shown, text))
    return html.escape(text)


def _shown(char: str) -> str:
    if char in "\n\t" or char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
        return char
    return f"⟨U+{ord(char):04X}⟩"


# How it is found


@dataclass(frozen=True, slots=True)
class _Match:
    same: bool
    old: slice
    new: slice


def _changed_lines(old: str, new: str) -> Iterator[Piece]:
    if not old or not new:
        yield from _replaced(old, new)
        return
    before, after = _SENTENCE.findall(old), _SENTENCE.findall(new)
    pieces: list[Piece] = []
    for match in _matches(before, after):
        gone, came = "".join(before[match.old]), "".join(after[match.new])
        pieces += [Piece("same", gone)] if match.same else _changed_words(gone, came)
    yield from _joined(pieces)


def _changed_words(old: str, new: str) -> list[Piece]:
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    matches = list(_matches(before, after))
    kept = sum(len("".join(before[match.old]).strip()) for match in matches if match.same)
    if kept < _LEAST_ALIKE * max(len(old), len(new)):
        return list(_replaced(old, new))
    pieces: list[Piece] = []
    for match in _without_islands(matches, before):
        gone, came = "".join(before[match.old]), "".join(after[match.new])
        pieces += [Piece("same", gone)] if match.same else _replaced(gone, came)
    return pieces


def _without_islands(matches: Sequence[_Match], before: Sequence[str]) -> list[_Match]:
    """A blank or a comma that stayed between two changes is part of one change, which is easier to read."""
    merged: list[_Match] = []
    for place, match in enumerate(matches):
        inner = 0 < place < len(matches) - 1
        island = match.same and inner and not any(token.isalnum() or token == "\n" for token in before[match.old])
        if merged and not merged[-1].same and (island or not match.same):
            last = merged.pop()
            match = _Match(False, slice(last.old.start, match.old.stop), slice(last.new.start, match.new.stop))
        merged.append(match)
    return merged


def _replaced(old: str, new: str) -> Iterator[Piece]:
    if old:
        yield Piece("removed", old)
    if new:
        yield Piece("added", new)


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Neighbours become one piece a kind: between two stretches that stayed, first what went and then what came."""
    waiting: dict[Kind, str] = {"removed": "", "added": ""}
    same = ""
    for piece in pieces:
        if piece.kind == "same":
            yield from _replaced(waiting["removed"], waiting["added"])
            waiting = {"removed": "", "added": ""}
            same += piece.text
        else:
            if same:
                yield Piece("same", same)
                same = ""
            waiting[piece.kind] += piece.text
    yield from _replaced(waiting["removed"], waiting["added"])
    if same:
        yield Piece("same", same)


def _matches(before: Sequence[str], after: Sequence[str], old_start: int = 0, new_start: int = 0) -> Iterator[_Match]:
    """Which items stayed and which were replaced, in order.

    SequenceMatcher where its work is bounded; else what is unique on both sides divides the sequences first
    (B. Cohen's "patience" diff), and where nothing is, the stretch counts as replaced.
    """
    head = _common_prefix(before, after)
    tail = _common_prefix(before[head:][::-1], after[head:][::-1])
    if head:
        yield _Match(True, slice(old_start, old_start + head), slice(new_start, new_start + head))
    middle_old, middle_new = before[head : len(before) - tail], after[head : len(after) - tail]
    yield from _middle_matches(middle_old, middle_new, old_start + head, new_start + head)
    if tail:
        old_end, new_end = old_start + len(before), new_start + len(after)
        yield _Match(True, slice(old_end - tail, old_end), slice(new_end - tail, new_end))


def _middle_matches(before: Sequence[str], after: Sequence[str], old_start: int, new_start: int) -> Iterator[_Match]:
    if not before and not after:
        return
    if _work(before, after) <= _WORK_LIMIT:
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            old, new = slice(old_start + i1, old_start + i2), slice(new_start + j1, new_start + j2)
            yield _Match(tag == "equal", old, new)
        return
    anchors = _anchors(before, after)
    if not anchors:
        old, new = slice(old_start, old_start + len(before)), slice(new_start, new_start + len(after))
        yield _Match(False, old, new)
        return
    i = j = 0
    for anchor_old, anchor_new in [*anchors, (len(before), len(after))]:
        yield from _matches(before[i:anchor_old], after[j:anchor_new], old_start + i, new_start + j)
        if anchor_old < len(before):
            place_old, place_new = old_start + anchor_old, new_start + anchor_new
            yield _Match(True, slice(place_old, place_old + 1), slice(place_new, place_new + 1))
        i, j = anchor_old + 1, anchor_new + 1


def _work(before: Sequence[str], after: Sequence[str]) -> int:
    """How many pairs of equal items SequenceMatcher would look at, at least."""
    there = Counter(after)
    return sum(count * there[item] for item, count in Counter(before).items())


def _common_prefix(before: Sequence[str], after: Sequence[str]) -> int:
    length = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        length += 1
    return length


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Places of items that are unique on both sides, as many as stand in the same order on both."""
    old_counts, new_counts = Counter(before), Counter(after)
    new_place = {item: place for place, item in enumerate(after)}
    pairs = [
        (place, new_place[item]) for place, item in enumerate(before) if old_counts[item] == 1 and new_counts[item] == 1
    ]
    return _longest_rising(pairs)


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of ``pairs`` whose second places rise as well; by patience sorting."""
    tops: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        previous.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [place]
        ends[pile : pile + 1] = [number]
    rising: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        rising.append(pairs[number])
        number = previous[number]
    return rising[::-1]
