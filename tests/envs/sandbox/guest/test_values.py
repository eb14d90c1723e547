from __future__ import annotations

import math
import os
from collections import Counter, namedtuple
from enum import StrEnum

import pytest

from langmarl.envs.sandbox.guest.values import (
    MAX_DEPTH,
    MAX_FRAME_BYTES,
    MalformedError,
    NotPlainError,
    decode,
    encode,
    receive,
    send,
)

PLAIN = [
    None,
    True,
    False,
    0,
    -7,
    10**5000,
    0.1,
    -0.0,
    math.inf,
    -math.inf,
    2 - 1j,
    complex(math.inf, -0.0),
    "",
    "naïve 🙂",
    "lone \ud800 and pair \ud83d\ude00",
    b"\x00\xff\n",
    [],
    [1, [2, (3,)]],
    (),
    {1, "a"},
    frozenset({1, (2, frozenset())}),
    {"a": 1, 2: None, (1, 2): [3], None: {}, 1.5: b"", frozenset({1}): ()},
]


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_a_plain_value_arrives_as_it_left(value):
    arrived = decode(encode(value))
    assert arrived == value
    assert type(arrived) is type(value)


def test_signs_of_zero_and_nan_survive():
    assert math.copysign(1, decode(encode(-0.0))) == -1
    assert math.isnan(decode(encode(math.nan)))


def test_bool_stays_apart_from_int_inside_containers():
    assert [type(item) for item in decode(encode([True, 1, False, 0]))] == [bool, int, bool, int]


def test_order_of_a_dict_survives():
    assert list(decode(encode({"b": 1, "a": 2}))) == ["b", "a"]


class AlwaysEqual(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class Colour(StrEnum):
    RED = "red"


def test_an_instance_of_a_subclass_arrives_as_the_plain_value_underneath():
    arrived = decode(encode([AlwaysEqual(3), Colour.RED, Counter("aab"), namedtuple("Point", "x y")(1, 2)]))
    assert arrived == [3, "red", {"a": 2, "b": 1}, (1, 2)]
    assert [type(item) for item in arrived] == [int, str, dict, tuple]


@pytest.mark.parametrize("value", [object(), print, range(3), (x for x in ()), bytearray(b"x"), [object()], {1: int}])
def test_any_other_type_is_refused_by_name(value):
    with pytest.raises(NotPlainError, match="type"):
        encode(value)


def test_what_refers_to_itself_is_refused():
    value: list[object] = []
    value.append(value)
    with pytest.raises(NotPlainError, match="deep"):
        encode(value)


def test_nesting_up_to_the_limit_passes():
    value: list[object] = []
    for _ in range(MAX_DEPTH):
        value = [value]
    assert decode(encode(value)) == value


def test_a_value_over_the_size_limit_is_refused():
    with pytest.raises(NotPlainError, match="limit"):
        encode("x" * (MAX_FRAME_BYTES + 1))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"?",
        b"i",
        b"i5\n1",
        b"i-1\n1",
        b"i1\nzz",
        b"f1\nx",
        b"c3\n0x1",
        b"s1\n\xff",
        b"l9999999999999\n",
        b"l1\n",
        b"S1\nl0\n",
        b"d1\nN",
        b"NN",
        b"l1\n" * 100_000,
        b"x1\nN",
    ],
)
def test_bytes_that_no_encoder_wrote_are_malformed_and_nothing_worse(data):
    with pytest.raises(MalformedError):
        decode(data)


def test_every_cut_of_a_message_is_malformed():
    data = encode({"key": [1, 2.5, "text", (b"x", {3})]})
    for length in range(len(data)):
        with pytest.raises(MalformedError):
            decode(data[:length])


@pytest.fixture
def pipe():
    out, into = os.pipe()
    yield out, into
    for descriptor in (out, into):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_frames_keep_their_bounds(pipe):
    out, into = pipe
    send(into, [1])
    send(into, "two")
    assert (receive(out), receive(out)) == ([1], "two")


def test_a_frame_that_claims_too_much_is_refused_before_it_is_read(pipe):
    out, into = pipe
    os.write(into, (1 << 40).to_bytes(8, "big"))
    with pytest.raises(MalformedError, match="limit"):
        receive(out)


def test_the_end_of_the_other_side_is_no_value(pipe):
    out, into = pipe
    os.write(into, b"\x00\x00")
    os.close(into)
    with pytest.raises(EOFError):
        receive(out)
