#!/bin/sh
# Bring .venv to what a lock file says. Does nothing when it is there already.
#
#   sh setup.sh runtime    what the `ohhell` command needs
#   sh setup.sh dev        that, and what tests and checks need
#
# Installs with uv where it is on PATH, else with pip. Indexes, proxies and
# certificates are whatever the caller has configured for those; nothing of it
# is written down here.
set -eu
cd "$(dirname "$0")"

profile=${1:-}
case $profile in
    runtime) lock=requirements.lock ;;
    dev) lock=requirements-dev.lock ;;
    *) echo "usage: sh setup.sh runtime|dev" >&2; exit 2 ;;
esac

venv=.venv
python=$venv/bin/python

# A virtual environment is bound to its path and to its interpreter: a copied or
# outlived one is as good as none.
home() {
    pwd
    "$python" -c 'import sys; print(sys.version_info[:2])' 2>/dev/null
}

# What was installed: the lock, and the projects whose entry points and metadata
# the editable installs have copied.
contents() {
    cat "$1" pyproject.toml proto/python/pyproject.toml clients/python/pyproject.toml | cksum
}

same() { # FILE TEXT
    [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]
}

find_python() {
    for name in python3.11 python3.12 python3.13 python3.14 python3 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$name"
            return
        fi
    done
    echo "No Python 3.11 or newer on PATH (looked for python3.11 to python3.14, python3, python)." >&2
    echo "Install one, on Debian or Ubuntu: apt install python3 python3-venv" >&2
    exit 1
}

create() {
    interpreter=$(find_python)
    echo "Creating $venv with $("$interpreter" --version)"
    rm -rf "$venv"
    if command -v uv >/dev/null && uv venv --quiet --python "$interpreter" "$venv"; then
        :
    elif ! "$interpreter" -m venv "$venv"; then
        rm -rf "$venv"
        echo "$interpreter cannot create virtual environments." >&2
        echo "On Debian or Ubuntu its module is a package of its own, such as python3.11-venv." >&2
        exit 1
    fi
    home >"$venv/.home"
}

with_uv() {
    uv pip install --quiet --python "$python" --require-hashes -r "$lock" &&
        uv pip install --quiet --python "$python" --offline --no-deps --no-build-isolation \
            -e proto/python -e clients/python -e .
}

with_pip() {
    "$python" -m pip --version >/dev/null 2>&1 || "$python" -m ensurepip >/dev/null
    "$python" -m pip install --quiet --disable-pip-version-check \
        --require-hashes -r "$lock" &&
        "$python" -m pip install --quiet --disable-pip-version-check \
            --no-index --no-deps --no-build-isolation \
            -e proto/python -e clients/python -e .
}

if same "$venv/.home" "$(home)"; then
    if same "$venv/.$profile" "$(contents "$lock")"; then
        exit 0
    fi
else
    create
fi

echo "Installing $lock into $venv (once; about half a minute)"
if ! { command -v uv >/dev/null && with_uv; }; then
    with_pip
fi

contents "$lock" >"$venv/.$profile"
if [ "$profile" = dev ]; then # the development lock holds the runtime lock
    contents requirements.lock >"$venv/.runtime"
fi
