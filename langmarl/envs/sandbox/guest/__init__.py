"""What runs inside the sandboxes.

Two programs, each alone in its own: `candidate` executes the code under test, `tester` executes the tests and
never sees that code. They talk in frames of plain values (`values`).

Everything here runs without site-packages and starts on every check, so it imports next to nothing: `json` alone
would double the start-up of an interpreter.
"""
