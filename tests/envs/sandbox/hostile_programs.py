"""Programs that want to pass without being right, to go on for ever, or to reach out of the sandbox.

The tests that they are given are `TESTS`, so each passes only if ``f(20)`` gives 421.
"""

TESTS = "def check(candidate):\n    assert candidate(20) == 421\n"

FORGERIES = {
    "exit at load": """
import sys
sys.exit(0)
""",
    "exit in the call": """
import sys
def f(x):
    sys.exit(0)
""",
    "os._exit": """
import os
def f(x):
    os._exit(0)
""",
    "printing the verdict": """
def f(x):
    print('PASSED')
    print('{"passed": true, "outcome": "passed"}', flush=True)
    return 0
""",
    "an object equal to everything": """
class E:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
def f(x):
    return E()
""",
    "a number equal to everything": """
class E(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__
def f(x):
    return E(1)
""",
    "patched builtins": """
import builtins
for name in ('isinstance', 'len', 'getattr', 'exec', 'compile', 'AssertionError'):
    setattr(builtins, name, lambda *a, **k: True)
def f(x):
    return 0
""",
    "patched modules": """
import sys, json
json.dumps = lambda *a, **k: '{"passed": true}'
for name, module in list(sys.modules.items()):
    if 'guest' in name or name == 'json':
        for attribute in list(vars(module)):
            if not attribute.startswith('__'):
                setattr(module, attribute, lambda *a, **k: ('passed', 'all tests passed'))
    sys.modules[name] = None
def f(x):
    return 0
""",
    "a patched way of answering": """
import sys
guest = sys.modules['langmarl.envs.sandbox.guest.candidate']
plain = guest.send
guest.send = lambda fd, reply: plain(fd, ('passed', 'all tests passed'))
def f(x):
    return 0
""",
    "a verdict on every descriptor": """
import os, sys
values = sys.modules['langmarl.envs.sandbox.guest.values']
forged = values.frame(values.encode(('passed', 'all tests passed')))
def f(x):
    for fd in range(64):
        try:
            os.write(fd, forged)
        except OSError:
            pass
    return 0
""",
    "garbage on every descriptor": r"""
import os
def f(x):
    for fd in range(64):
        try:
            os.write(fd, b'\xff' * 64)
        except OSError:
            pass
    return 0
""",
    "exit in __del__": """
import os
class D:
    def __del__(self):
        os._exit(0)
def f(x):
    D()
    return 0
""",
    "exit at the end": """
import atexit, os
atexit.register(os._exit, 0)
def f(x):
    raise SystemExit
""",
    "an assertion of its own": """
def f(x):
    raise AssertionError
""",
    "killing everything": """
import os, signal
def f(x):
    for pid in (os.getppid(), 1, 0, -1):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    return 0
""",
    "endless recursion": """
def f(x):
    return f(x)
""",
    "recursion without a limit": """
import sys
sys.setrecursionlimit(10**9)
def f(x):
    return repr_of(x)
def repr_of(x):
    return repr_of([x])
""",
    "a memory bomb at once": """
def f(x):
    return [0] * 10**11
""",
    "a memory bomb by and by": """
def f(x):
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
""",
    "a result of a gigabyte": """
def f(x):
    return 'x' * 10**9
""",
    "a result over the limit": """
def f(x):
    return 'x' * (1 << 25)
""",
    "a result nested without end": """
def f(x):
    kept = []
    kept.append(kept)
    return kept
""",
    "a gigabyte of output": """
import sys
def f(x):
    line = 'x' * (1 << 20)
    for _ in range(1024):
        print(line)
        sys.stderr.write(line)
    return 0
""",
    "threads left running": """
import threading
def spin():
    while True:
        pass
def f(x):
    for _ in range(3):
        threading.Thread(target=spin).start()
    return 0
""",
    "a generator": """
def f(x):
    yield 421
""",
    "rewriting the tests": """
import gc
for thing in gc.get_objects():
    if type(thing).__name__ == 'function' and thing.__name__ == 'check':
        thing.__code__ = (lambda candidate: None).__code__
def f(x):
    return 0
""",
    "numbers that equal everything": """
import gc
gc.get_referents(int.__dict__)[0]['__eq__'] = lambda self, other: True
def f(x):
    return 0
""",
    "an assertion that cannot fail": """
import builtins, sys
builtins.AssertionError = builtins.Exception = type('Never', (BaseException,), {})
sys.excepthook = lambda *a: None
sys.settrace(lambda *a: None)
def f(x):
    return 0
""",
}
ENDLESS = {
    "an endless loop": """
def f(x):
    while True:
        pass
""",
    "an endless loop at load": """
while True:
    pass
""",
    "sleeping": """
import time
def f(x):
    time.sleep(3600)
""",
    "ignoring signals": """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
def f(x):
    while True:
        pass
""",
    "a fork bomb": """
import os
def f(x):
    while True:
        try:
            os.fork()
        except OSError:
            pass
""",
    "endless output": """
def f(x):
    while True:
        print('x' * 100000)
""",
}

ESCAPES = {
    "a connection to this machine": """
import socket
def f(x):
    socket.create_connection(('127.0.0.1', @PORT@), 2).sendall(b'key')
    return 421
""",
    "a name in the network": """
import socket
def f(x):
    return 421 if socket.getaddrinfo('localhost', 80) else 0
""",
    "a file outside": """
def f(x):
    with open('@FOLDER@/secret.txt') as file:
        return 421 if 'planted' in file.read() else 0
""",
    "a list of files outside": """
import os
def f(x):
    return 421 if 'secret.txt' in os.listdir('@FOLDER@') else 0
""",
    "a way up": """
import os
def f(x):
    return 421 if os.path.exists('../../../../../../@FOLDER@/secret.txt') else 0
""",
    "a file written outside": """
def f(x):
    with open('@FOLDER@/written', 'w') as file:
        file.write('x')
    return 421
""",
    "the environment": """
import os
def f(x):
    return 421 if os.environ['PLANTED_KEY'] else 0
""",
    "the environment of the process outside": """
def f(x):
    with open('/proc/@PID@/environ', 'rb') as file:
        return 421 if file.read() else 0
""",
    "a list of processes": """
import os
def f(x):
    return 421 if any(name.isdigit() for name in os.listdir('/proc')) else 0
""",
    "a signal to the process outside": """
import os
def f(x):
    os.kill(@PID@, 0)
    return 421
""",
    "the reference solution": """
def f(x):
    with open('@TASKS@') as file:
        return 421 if 'canonical_solution' in file.read() else 0
""",
    "the project's own code": """
def f(x):
    import langmarl.envs.sandbox
    return 421
""",
    "a shell": """
import subprocess
def f(x):
    return 421 if subprocess.run(['/bin/sh', '-c', 'exit 0']).returncode == 0 else 0
""",
    "the tests in its own memory": """
import gc
def f(x):
    functions = [thing for thing in gc.get_objects() if type(thing).__name__ == 'function']
    return 421 if any(function.__name__ == 'check' for function in functions) else 0
""",
}
"""Each returns 421 if it got where it wanted, as it does where nothing holds it. What stands between two @ is filled in
by ``escaping``."""
