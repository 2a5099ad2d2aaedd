#!/usr/bin/env bash
# How far is it from `ohhell bot new` to a finished match, language by language?
#
#   tests/fresh_machine/languages.sh [LANGUAGE...]      (all when none is named)
#
# Each language gets a bare Debian 12 of its own (machine.sh says what it has, and what
# this needs), where `make runtime` has been typed, and the toolchain of that language
# and no other: from Debian 12 where its version will do, else a copy of this machine's.
# There first_bot.sh types what a newcomer types. Ends with a table.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=machine.sh
. "$(dirname "$0")/machine.sh"

readonly MOST_COMMANDS=4 PATIENCE_S=1800
readonly EVERY=(python typescript go java rust cpp python-stdio bash perl c)
# A command by which each toolchain is known. Python and Perl are on every Debian.
readonly TOOLCHAINS=(go node javac cargo cc c++)

packages_of() { # LANGUAGE: those of Debian 12
    case $1 in
        c) echo gcc libc6-dev ;;
        cpp) echo g++ cmake libgrpc++-dev libgtest-dev libprotobuf-dev \
            protobuf-compiler-grpc ;;
        java) echo openjdk-17-jdk-headless maven ;;
        rust) echo gcc libc6-dev ;;
    esac
}

tools_of() { # LANGUAGE: those of TOOLCHAINS that may be there, and must
    case $1 in
        c) echo cc ;;
        cpp) echo cc c++ ;;
        go) echo go ;;
        java) echo javac ;;
        rust) echo cargo cc ;;
        typescript) echo node ;;
    esac
}

# Copies what Debian 12 has too old or not at all, from wherever this machine has it.
bring_toolchain() { # LANGUAGE MACHINE
    local from to=$2/usr/local
    case $1 in
        go)
            need go golang
            mkdir "$to/go"
            tar -c -C "$(go env GOROOT)" . | tar -x --no-same-owner -C "$to/go"
            ln --symbolic ../go/bin/go ../go/bin/gofmt "$to/bin/"
            ;;
        rust)
            need rustc
            from=$(rustc --print sysroot)
            tar -c -C "$from" --exclude=lib/rustlib/src bin lib |
                tar -x --no-same-owner -C "$to"
            ;;
        typescript)
            need node nodejs
            from=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
            tar -c -C "$from" bin/node lib/node_modules/npm |
                tar -x --no-same-owner -C "$to"
            ln --symbolic ../lib/node_modules/npm/bin/npm-cli.js "$to/bin/npm"
            ;;
    esac
}

install_packages() { # NAME PACKAGE...
    local name=$1
    shift
    run_inside "$ROOT_ID" "$name" "$WORK/$name.apt.log" \
        "sh -c 'apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends $*'" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive || {
        show_end "$WORK/$name.apt.log"
        return 1
    }
}

# The machine named `ready`, again, with a toolchain.
machine_for() { # LANGUAGE
    local machine=$WORK/$1 packages
    cp --archive --reflink=auto "$WORK/ready" "$machine"
    cp "$WORK/ready.env" "$machine.env"
    packages=$(packages_of "$1")
    # shellcheck disable=SC2086 # a word each
    [[ -z $packages ]] || install_packages "$1" $packages
    bring_toolchain "$1" "$machine"
    # Installing certificates has made their files anew.
    pass_on_files "$machine"
    chown -R "$TESTER_ID:$TESTER_ID" "$machine$TESTER"
}

has_only_its_tools() { # LANGUAGE
    local tool expected found=''
    expected=$(tools_of "$1")
    for tool in "${TOOLCHAINS[@]}"; do
        if chroot "$WORK/$1" /bin/sh -c "PATH=/usr/local/bin:/usr/bin:/bin
            command -v $tool" >/dev/null; then
            found+=" $tool"
        fi
    done
    [[ $(tr ' ' '\n' <<<"${found# }" | sort) == "$(tr ' ' '\n' <<<"$expected" | sort)" ]] || {
        echo "expected: $expected; found:$found" >&2
        return 1
    }
}

has_at_most() { # LANGUAGE COMMANDS
    (($(grep -c '^first' "$WORK/$1.typed") <= $2))
}

# The tournament of a new bot was played to its end, and nobody had a fault.
played_without_fault() { # LANGUAGE
    python3 - "$WORK/$1$TESTER/ohhell/mybot/runs/mybot/results.json" <<'END'
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    results = json.load(file)
faults = {line["bot"]: sum(line["faults"].values()) for line in results["standings"]}
print(f"        {results['matches']} matches, faults: {faults}")
sys.exit(
    results["blocks"] != results["blocks_planned"]
    or results["matches"] == 0
    or "mybot" not in faults
    or any(faults.values())
)
END
}

job() { # LANGUAGE
    local language=$1 log=$WORK/$1.log
    local typed=$WORK/$1$TESTER/typed
    echo "--- $language"
    machine_for "$language"
    check "$language: no other toolchain is there" has_only_its_tools "$language"
    check "$language: from \`ohhell bot new\` to results, and all that its README shows" \
        on_machine "$language" "$log" \
        "timeout $PATIENCE_S bash tests/fresh_machine/first_bot.sh $language $TESTER/typed"
    cp "$typed" "$WORK/$language.typed"
    cut --fields=2- "$WORK/$language.typed" | sed 's/^/    | /'
    check "$language: at most $MOST_COMMANDS commands" has_at_most "$language" "$MOST_COMMANDS"
    check "$language: played to the end without a fault" played_without_fault "$language"
    check "$language: no process is left" nothing_left "$log"
    ((failed == 0)) || show_end "$log"
    rm -rf --one-file-system "${WORK:?}/$language"
}

# Rows of a table in Markdown, as docs/evidence.md has it.
table() { # LANGUAGE...
    local language
    echo "| language | commands | seconds | of these the tournament | then its tests | then \`ohhell bot check\` |"
    echo "|---|---|---|---|---|---|"
    for language in "$@"; do
        awk -F '\t' -v language="$language" '
            $1 == "first" { commands++; seconds += $2 }
            $1 == "first" && $4 ~ /tournament run/ { played = $2 }
            $1 == "after" && $4 ~ /bot check/ { checked = $2; next }
            $1 == "after" { tested += $2 }
            END {
                printf "| %s | %d | %.0f | %.0f | %.0f | %.0f |\n",
                    language, commands, seconds, played, tested, checked
            }' "$WORK/$language.typed"
    done
}

languages=("$@")
((${#languages[@]})) || languages=("${EVERY[@]}")
for language in "${languages[@]}"; do
    [[ " ${EVERY[*]} " == *" $language "* ]] || {
        echo "unknown language: $language (there are ${EVERY[*]})" >&2
        exit 2
    }
done

prepare
new_machine ready
start=$EPOCHREALTIME
check "make runtime succeeds" on_machine ready "$WORK/ready.log" "make runtime"
echo "make runtime took $(seconds_since "$start") s"
for language in "${languages[@]}"; do
    job "$language"
done
table "${languages[@]}"
conclude
