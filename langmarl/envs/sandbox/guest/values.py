"""Plain values as bytes: the only thing that passes between the candidate and the tests.

A tagged, length-prefixed encoding in the manner of bencode. It carries None, bool, int of any size, float (also
nan and the infinities), complex, str (also lone surrogates), bytes, list, tuple, set, frozenset and dict with any
hashable plain key. What a value *is* crosses, what it could *do* stays behind: an instance of a subclass
arrives as the plain value underneath, so an overridden ``__eq__`` compares nothing on the other side. Unlike
`pickle` and `marshal`, decoding hostile bytes can raise `MalformedError` and nothing else.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # not typing's own: importing `typing` takes longer than the check
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

MAX_DEPTH = 200
"""Levels of nesting that a value may have; what refers to itself is beyond any limit."""

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""Size of the largest message in either direction."""

LENGTH_BYTES = 8
"""A frame is the length of a value's bytes, big-endian, and the bytes."""

_READ_BYTES = 1 << 16


class NotPlainError(Exception):
    """A value that cannot cross; the message says which and why."""


class TooLargeError(NotPlainError):
    """A value of plain types, but nested too deeply or too large."""


class MalformedError(Exception):
    """Bytes that no `encode` wrote."""


def encode(value: object) -> bytes:
    """The bytes of a plain value.

    Raises:
        NotPlainError: The value, or one inside it, is of another type.
        TooLargeError: It is nested too deeply, or too large.
    """
    parts: list[bytes] = []
    try:
        _encode(value, parts, 0)
    except RecursionError:
        raise TooLargeError(f"a value is nested more than {MAX_DEPTH} levels deep") from None
    data = b"".join(parts)
    if len(data) > MAX_FRAME_BYTES:
        raise TooLargeError(f"a value of {len(data)} bytes is over the limit of {MAX_FRAME_BYTES}")
    return data


def _encode(value: object, parts: list[bytes], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise TooLargeError(f"a value is nested more than {MAX_DEPTH} levels deep")
    if value is None or value is True or value is False:
        parts.append(_CONSTANTS[value])
        return
    for kind, tag, text in _ATOMS:
        if isinstance(value, kind):
            raw = text(value)
            parts.append(b"%c%d\n" % (tag, len(raw)))
            parts.append(raw)
            return
    for kind, tag, members in _CONTAINERS:
        if isinstance(value, kind):
            items = list(members(value))
            parts.append(b"%c%d\n" % (tag, len(items)))
            for item in items:
                _encode(item, parts, depth + 1)
            return
    raise NotPlainError(f"a value of type {type(value).__name__!r} cannot leave the sandbox")


def _flat_items(value: dict[Any, Any]) -> Iterable[object]:
    for key, item in dict.items(value):
        yield key
        yield item


# The methods are taken from the base class: a subclass may have overridden its own.
_CONSTANTS = {None: b"N", True: b"T", False: b"F"}
_ATOMS: tuple[tuple[type, bytes, Callable[[Any], bytes]], ...] = (
    (int, b"i", lambda value: b"%x" % int.__index__(value)),
    (float, b"f", lambda value: float.hex(value).encode()),
    (complex, b"c", lambda value: f"{float.hex(value.real)} {float.hex(value.imag)}".encode()),
    (str, b"s", lambda value: str.encode(value, "utf-8", "surrogatepass")),
    (bytes, b"b", lambda value: b"".join([value])),
)
_CONTAINERS: tuple[tuple[type, bytes, Callable[[Any], Iterable[object]]], ...] = (
    (list, b"l", list.__iter__),
    (tuple, b"t", tuple.__iter__),
    (set, b"S", set.__iter__),
    (frozenset, b"Z", frozenset.__iter__),
    (dict, b"d", _flat_items),
)


def decode(data: bytes) -> Any:
    """The value that `encode` turned into these bytes.

    Raises:
        MalformedError: They are not the bytes of one whole value.
    """
    try:
        value, end = _decode(data, 0, 0)
    except MalformedError:
        raise
    except (ValueError, TypeError, IndexError, KeyError, OverflowError, RecursionError) as error:
        raise MalformedError(f"not the bytes of a plain value: {error}") from None
    if end != len(data):
        raise MalformedError(f"{len(data) - end} bytes follow the value")
    return value


def _decode(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_DEPTH:
        raise MalformedError("nested too deeply")
    tag = data[at : at + 1]
    if tag in _CONSTANT_OF:
        return _CONSTANT_OF[tag], at + 1
    newline = data.index(b"\n", at)
    length = int(data[at + 1 : newline])
    at = newline + 1
    if tag in _ATOM_OF:
        if not 0 <= length <= len(data) - at:
            raise MalformedError("a length that the bytes do not have")
        return _ATOM_OF[tag](data[at : at + length]), at + length
    items = []
    for _ in range(length):
        item, at = _decode(data, at, depth + 1)
        items.append(item)
    return _CONTAINER_OF[tag](items), at


def _complex(raw: bytes) -> complex:
    real, imaginary = raw.decode().split(" ")
    return complex(float.fromhex(real), float.fromhex(imaginary))


def _dict(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


_CONSTANT_OF = {tag: value for value, tag in _CONSTANTS.items()}
_ATOM_OF: dict[bytes, Callable[[bytes], Any]] = {
    b"i": lambda raw: int(raw, 16),
    b"f": lambda raw: float.fromhex(raw.decode()),
    b"c": _complex,
    b"s": lambda raw: raw.decode("utf-8", "surrogatepass"),
    b"b": bytes,
}
_CONTAINER_OF: dict[bytes, Callable[[list[Any]], Any]] = {
    b"l": list,
    b"t": tuple,
    b"S": set,
    b"Z": frozenset,
    b"d": _dict,
}


def frame(payload: bytes) -> bytes:
    """A value's bytes, ready to be sent."""
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


def send(descriptor: int, value: object) -> None:
    """Write one value as a frame.

    Raises:
        NotPlainError: See `encode`; nothing was written.
        OSError: The other side is gone.
    """
    pending = memoryview(frame(encode(value)))
    while pending:
        pending = pending[os.write(descriptor, pending) :]


def receive(descriptor: int) -> Any:
    """Read one frame, waiting for it, and return its value.

    Raises:
        EOFError: The other side is gone.
        MalformedError: What came is not a frame.
    """
    length = int.from_bytes(_read_exactly(descriptor, LENGTH_BYTES), "big")
    if length > MAX_FRAME_BYTES:
        raise MalformedError(f"a message of {length} bytes is over the limit of {MAX_FRAME_BYTES}")
    return decode(_read_exactly(descriptor, length))


def _read_exactly(descriptor: int, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = os.read(descriptor, min(length, _READ_BYTES))
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
