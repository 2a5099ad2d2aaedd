#!/bin/sh
# Asks the bot the questions of questions.jsonl, and looks whether it answers each of
# them with something legal:  ./check.sh COMMAND...
cd "$(dirname "$0")" || exit 2
answers=$(mktemp) || exit 2
trap 'rm -f "$answers"' EXIT
"$@" <questions.jsonl >"$answers" || {
    echo "$1 ended with status $? after $(wc -l <"$answers") answers" >&2
    exit 1
}
awk '
function value(line, key) {
    if (!match(line, "\"" key "\": *(\"[^\"]*\"|[^,}]*)")) return ""
    line = substr(line, RSTART, RLENGTH)
    sub(/^[^:]*: */, "", line)
    gsub(/"/, "", line)
    return line
}
FNR == NR { if (/"ask":/) question[++asked] = $0; next }
{
    line = question[++answered]
    legal = " " value(line, "legal") " "
    count = split(value($0, value(line, "ask")), words, " ")
    right = count == (value(line, "ask") == "lay" ? 3 : 1)
    right = right && value($0, "id") == value(line, "id")
    for (i = 1; i <= count; i++) if (!index(legal, " " words[i] " ")) right = 0
    if (!right) { print "asked    " line "\nanswered " $0; wrong++ }
}
END {
    print answered + 0 " answers to " asked " questions, " wrong + 0 " wrong"
    exit wrong > 0 || answered != asked
}' questions.jsonl "$answers"
