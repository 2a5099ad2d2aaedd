#!/usr/bin/env bash
# Does the project work on a machine that has never seen it?
#
#   tests/fresh_machine/run.sh [demo] [test]      (both when none is named)
#
# Each job gets a bare Debian 12 of its own that has python3.11, python3.11-venv, make
# and ca-certificates and nothing else, the committed tree in the home of an
# unprivileged user, and an empty environment. The first command ever typed there is
# `make demo` (and then once more) or `make test`.
#
# How the caller reaches package indexes (pip settings, proxies, certificates, names)
# is passed on to the machine and must leave no trace in the project.
#
# Needs root, git and mmdebstrap. Settings:
#   FRESH_BASE     tar of the bare machine: used if it exists, written if it does not
#   FRESH_MIRROR   Debian mirror for it (default: mmdebstrap's own)
#   FRESH_REF      commit to try (default: HEAD)
set -euo pipefail

readonly DEMO_LIMIT_S=240 REPLAY_LIMIT_S=3
readonly TESTER=/home/tester
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
readonly HERE ROOT
readonly REF=${FRESH_REF:-HEAD}

passed=0
failed=0

check() { # WHAT COMMAND...: one finding, told at once
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $what"
    else
        failed=$((failed + 1))
        echo "FAILED  $what"
    fi
}

need() { # COMMAND PACKAGE
    command -v "$1" >/dev/null || {
        echo "$1 is missing (apt-get install $2)" >&2
        exit 1
    }
}

seconds_since() { # START: with one decimal
    awk -v now="$EPOCHREALTIME" -v start="$1" 'BEGIN { printf "%.1f", now - start }'
}

at_most() { # SECONDS LIMIT
    [[ $1 != never ]] &&
        awk -v seconds="$1" -v limit="$2" 'BEGIN { exit !(seconds <= limit) }'
}

build_base() { # TAR
    local start=$EPOCHREALTIME
    mmdebstrap --quiet --format=tar --variant=minbase \
        --include=python3.11,python3.11-venv,make,ca-certificates \
        bookworm "$WORK/built.tar" ${FRESH_MIRROR:+"$FRESH_MIRROR"}
    mv "$WORK/built.tar" "$1"
    echo "bare Debian 12 built in $(seconds_since "$start") s"
}

pass_on_file() { # MACHINE FILE: same contents at the same path
    [[ -f $2 ]] && install -D -m 0644 "$2" "$1$2"
}

# Writes the environment of the machine's user to env, one NAME=value a line.
pass_on_network() { # MACHINE
    local machine=$1 name value config
    for config in /etc/resolv.conf /etc/hosts /etc/pip.conf \
        /etc/ssl/certs/ca-certificates.crt; do
        pass_on_file "$machine" "$config" || true
    done
    for config in "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" "$HOME/.pip/pip.conf"; do
        [[ -f $config ]] && install -D -m 0644 "$config" \
            "$machine$TESTER/.config/pip/pip.conf"
    done
    printf '%s\n' HOME="$TESTER" USER=tester LANG=C.UTF-8 \
        PATH=/usr/local/bin:/usr/bin:/bin >"$machine.env"
    while IFS='=' read -r -d '' name value; do
        case $name in
            PIP_CONFIG_FILE | PIP_CERT | SSL_CERT_FILE | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE)
                pass_on_file "$machine" "$value" || continue ;;
            PIP_*INDEX_URL | PIP_TRUSTED_HOST | PIP_PROXY | PIP_*TIMEOUT | PIP_RETRIES) ;;
            http_proxy | https_proxy | no_proxy | all_proxy) ;;
            HTTP_PROXY | HTTPS_PROXY | NO_PROXY | ALL_PROXY) ;;
            *) continue ;;
        esac
        printf '%s=%s\n' "$name" "$value" >>"$machine.env"
    done < <(env -0)
}

new_machine() { # NAME
    local machine=$WORK/$1
    mkdir "$machine"
    tar -x -C "$machine" -f "$BASE"
    echo "tester:x:1000:1000::$TESTER:/bin/sh" >>"$machine/etc/passwd"
    echo 'tester:x:1000:' >>"$machine/etc/group"
    mkdir -p "$machine$TESTER/ohhell"
    git -C "$ROOT" archive "$REF" | tar -x -C "$machine$TESTER/ohhell"
    pass_on_network "$machine"
    chown -R 1000:1000 "$machine$TESTER"
    (cd "$machine$TESTER/ohhell" && find . -type f | sort) >"$machine.tree"
}

# Runs a command in the project, as the machine's user.
on_machine() { # NAME LOG COMMAND
    local environment
    mapfile -t environment <"$WORK/$1.env"
    unshare --mount --pid --fork --kill-child \
        "$HERE/inside.sh" "$WORK/$1" "$2" "$3" "${environment[@]}"
}

nothing_left() { # LOG
    [[ ! -s $1.left ]] || { cat "$1.left" >&2; return 1; }
}

# New files may lie only where .gitignore says that they may.
tree_untouched() { # NAME
    local machine=$WORK/$1 new
    new=$(cd "$machine$TESTER/ohhell" &&
        find . \( -name .venv -o -name runs -o -name __pycache__ -o -name '.*_cache' \
            -o -name .hypothesis \) -prune -o -type f -print | sort |
        comm -13 "$machine.tree" -)
    [[ -z $new ]] || { echo "$new" >&2; return 1; }
}

show_end() { # LOG
    tail -n 40 "$1" | sed 's/^/    | /'
}

# Seconds from START until the last of the four bots had connected, which is when play
# begins; "never" if it did not.
time_to_play() { # START LOG
    local connected
    connected=$(sed -n 's/.*"stream opened".*"timestamp": "\([^"]*\)".*/\1/p' "$2" | sed -n 4p)
    if [[ -n $connected ]]; then
        awk -v start="$1" -v played="$(date -d "$connected" +%s.%N)" \
            'BEGIN { printf "%.1f", played - start }'
    else
        echo never
    fi
}

sets_nothing_up() { # LOG
    ! grep -q -e '^Creating .venv' -e '^Installing ' "$1"
}

job_demo() {
    local log=$WORK/demo.log again=$WORK/again.log start elapsed
    local run=$WORK/demo$TESTER/ohhell/runs/quickstart
    new_machine demo
    start=$EPOCHREALTIME
    check "make demo succeeds as the first command ever typed" on_machine demo "$log" "make demo"
    elapsed=$(seconds_since "$start")
    show_end "$log"
    echo "make demo took $elapsed s, set-up included"
    check "it takes at most $DEMO_LIMIT_S s" at_most "$elapsed" "$DEMO_LIMIT_S"
    check "it leaves a report" test -s "$run/report.html"
    check "it leaves no process" nothing_left "$log"

    start=$EPOCHREALTIME
    check "make demo succeeds again" on_machine demo "$again" "make demo"
    elapsed=$(time_to_play "$start" "$run/logs/server.log")
    echo "the second make demo began to play after $elapsed s"
    check "it plays within $REPLAY_LIMIT_S s" at_most "$elapsed" "$REPLAY_LIMIT_S"
    check "it sets nothing up again" sets_nothing_up "$again"
    check "the project's files are as they were" tree_untouched demo
}

job_test() {
    local log=$WORK/test.log start elapsed
    new_machine test
    start=$EPOCHREALTIME
    check "make test succeeds as the first command ever typed" on_machine test "$log" "make test"
    elapsed=$(seconds_since "$start")
    show_end "$log"
    echo "make test took $elapsed s, set-up included"
    check "it leaves no process" nothing_left "$log"
    check "the project's files are as they were" tree_untouched test
}

jobs=("$@")
((${#jobs[@]})) || jobs=(demo test)
for job in "${jobs[@]}"; do
    case $job in
        demo | test) ;;
        *) echo "unknown job: $job (there are demo and test)" >&2; exit 2 ;;
    esac
done
((EUID == 0)) || { echo "needs root, for a machine of its own" >&2; exit 1; }
need git git
need mmdebstrap mmdebstrap

WORK=$(mktemp -d)
readonly WORK
# What was mounted there went with its namespace: these are plain files.
trap 'rm -rf --one-file-system "$WORK"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

readonly BASE=${FRESH_BASE:-$WORK/bare.tar}
[[ -f $BASE ]] || build_base "$BASE"
echo "trying $(git -C "$ROOT" rev-parse --short "$REF")"
for job in "${jobs[@]}"; do
    "job_$job"
done
echo "$passed passed, $failed failed"
((failed == 0))
