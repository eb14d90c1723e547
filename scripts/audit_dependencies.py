"""Looks the installed packages up in the OSV database of known vulnerabilities, with pip-audit.

Exit code 1 where a package has one. Where the database cannot be reached (no network, or it is down) nothing is known,
which is said and is no failure: `make lint` must work on a train. Further options go to pip-audit, such as
``--ignore-vuln ID`` for one that does not concern us.

usage: scripts/audit_dependencies.py [pip-audit's options]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

_OPTIONS = (
    "--format",
    "json",
    "--progress-spinner",
    "off",
    "--timeout",
    "15",
    "--skip-editable",
    "--vulnerability-service",
    "osv",
)
# How pip-audit ends where the service did not answer, or answered something else (a hotel's login page).
_UNREACHED = re.compile(r"requests\.exceptions\.|ConnectionError|ServiceError|Could not connect|JSONDecodeError")


def main(options: list[str]) -> int:
    """Audit and report; the exit code."""
    ended = subprocess.run(
        [sys.executable, "-m", "pip_audit", *_OPTIONS, *options], capture_output=True, text=True, check=False
    )
    packages = _packages(ended.stdout)
    if packages is None:
        if _UNREACHED.search(ended.stderr):
            return _not_audited(ended.stderr.strip().splitlines()[-1])
        print(ended.stderr, file=sys.stderr)
        return ended.returncode or 1
    looked_up = [package for package in packages if "vulns" in package]
    if not looked_up:
        return _not_audited("it knows none of the installed packages")
    for package in (package for package in packages if "vulns" not in package):
        print(f"not looked up: {package['name']}: {package.get('skip_reason', 'no reason given')}")
    found = [(package, each) for package in looked_up for each in package["vulns"]]
    for package, each in found:
        mended = ", ".join(each.get("fix_versions", [])) or "no release yet"
        print(f"{package['name']} {package['version']}: {each['id']} (mended in: {mended})", file=sys.stderr)
    print(f"{len(looked_up)} packages looked up, {len(found) or 'no'} known vulnerabilities")
    return 1 if found else 0


def _packages(report: str) -> list[dict[str, Any]] | None:
    try:
        packages = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    return packages if isinstance(packages, list) else None


def _not_audited(reason: str) -> int:
    print(f"NOT AUDITED: the database of vulnerabilities could not be asked: {reason[:300]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
