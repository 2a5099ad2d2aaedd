#!/usr/bin/env bash
# Does the project work on a machine that has never seen it?
#
#   tests/fresh_machine/run.sh [demo] [test]      (both when none is named)
#
# Each job gets a bare Debian 12 of its own (machine.sh says what it has, and what this
# needs). The first command ever typed there is `make demo` (and then once more) or
# `make test`.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=machine.sh
. "$(dirname "$0")/machine.sh"

readonly DEMO_LIMIT_S=240 REPLAY_LIMIT_S=3

at_most() { # SECONDS LIMIT
    [[ $1 != never ]] &&
        awk -v seconds="$1" -v limit="$2" 'BEGIN { exit !(seconds <= limit) }'
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
prepare
for job in "${jobs[@]}"; do
    "job_$job"
done
conclude
