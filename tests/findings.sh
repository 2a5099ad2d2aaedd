# What a script of tests finds, told at once and counted; sourced by those scripts.
# shellcheck shell=bash

passed=0
failed=0

check() { # WHAT COMMAND...: one finding
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

need() { # COMMAND [PACKAGE]: ends the script where it is missing
    command -v "$1" >/dev/null || {
        echo "$1 is missing (apt-get install ${2:-$1})" >&2
        exit 1
    }
}

conclude() { # the last line, and whether all went well
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
