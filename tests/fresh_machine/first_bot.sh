#!/usr/bin/env bash
# Types what a newcomer types for a first bot, on a machine where the project is set up:
#
#   bash tests/fresh_machine/first_bot.sh LANGUAGE TYPED
#
# Those are `ohhell bot new`, what that prints to be typed next, and then what else the
# README of the new bot shows. Each goes into the file TYPED, a line each: "first" or
# "after", seconds, exit status, command. Stops at the first that fails.
set -euo pipefail

language=$1 typed=$2

enter() { # first|after COMMAND
    local start=$EPOCHREALTIME status=0
    echo "\$ $2"
    eval "$2" || status=$?
    awk -v part="$1" -v now="$EPOCHREALTIME" -v start="$start" -v status="$status" \
        -v command="$2" 'BEGIN {
            printf "%s\t%.1f\t%d\t%s\n", part, now - start, status, command
        }' >>"$typed"
    return "$status"
}

commands_of() { # README
    awk '/^```sh$/ { shown = 1; next } /^```/ { shown = 0 } shown' "$1"
}

# The activation refers to variables that need not be set.
set +u
. .venv/bin/activate
set -u

wrote=$(enter first "ohhell bot new --lang $language mybot")
echo "$wrote"
while IFS= read -r command; do
    enter first "$command"
done < <(sed -n 's/^  //p' <<<"$wrote")

while IFS= read -r command; do
    cut --fields=4 "$typed" | grep --quiet --line-regexp --fixed-strings -e "$command" ||
        enter after "$command"
done < <(commands_of README.md)
