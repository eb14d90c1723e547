#!/usr/bin/env bash
# Installs the system packages that the tests use, where that is possible: Debian or Ubuntu, as root or with a sudo that
# asks no password. Elsewhere it says what is missing and how to get it, and leaves the rest to the tests, which skip what
# they cannot run (and fail where CI=true).
#
# usage: scripts/install_system_packages.sh [bubblewrap] [chromium]      without arguments: all of them
set -euo pipefail

command_of() {
    case "$1" in
        bubblewrap) echo bwrap ;;
        chromium) echo chromium ;;
        *) echo "unknown package '$1'; known: bubblewrap, chromium" >&2; exit 2 ;;
    esac
}

[ $# -gt 0 ] || set -- bubblewrap chromium
missing=()
for package in "$@"; do
    command=$(command_of "$package")
    command -v "$command" >/dev/null || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi

install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
}

if command -v apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null; then
    # A fresh machine has no package lists yet; everywhere else, fetching them first would only take time.
    if install >/dev/null 2>&1 || { "${as_root[@]}" apt-get update -qq && install; }; then
        echo "installed: ${missing[*]}"
        exit 0
    fi
fi
echo "missing, and not installed: ${missing[*]}" >&2
echo "On Debian or Ubuntu: sudo apt-get install ${missing[*]}" >&2
