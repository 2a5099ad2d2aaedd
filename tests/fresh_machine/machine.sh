# Bare machines to try the project on; sourced by run.sh and languages.sh.
#
# A machine is a Debian 12 in a folder of WORK that has python3.11, python3.11-venv,
# make and ca-certificates and nothing else, the committed tree in the home of an
# unprivileged user, and an empty environment.
#
# How the caller reaches package indexes (settings of pip, npm, Go, cargo and Maven,
# proxies, certificates, names) is passed on to the machine and must leave no trace in
# the project.
#
# Needs root, git and mmdebstrap. Settings:
#   FRESH_BASE     tar of the bare machine: used if it exists, written if it does not
#   FRESH_MIRROR   Debian mirror for it (default: mmdebstrap's own)
#   FRESH_REF      commit to try (default: HEAD)
# shellcheck shell=bash

readonly TESTER=/home/tester TESTER_ID=1000 ROOT_ID=0
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
readonly HERE ROOT
readonly REF=${FRESH_REF:-HEAD}

# shellcheck source-path=SCRIPTDIR source=../findings.sh
. "$ROOT/tests/findings.sh"

seconds_since() { # START: with one decimal
    awk -v now="$EPOCHREALTIME" -v start="$1" 'BEGIN { printf "%.1f", now - start }'
}

# Before any machine is made: a folder for them, and what they begin with.
prepare() {
    ((EUID == 0)) || { echo "needs root, for a machine of its own" >&2; exit 1; }
    need git
    need mmdebstrap
    WORK=$(mktemp -d)
    readonly WORK
    # What was mounted there went with its namespace: these are plain files.
    trap 'rm -rf --one-file-system "$WORK"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    readonly BASE=${FRESH_BASE:-$WORK/bare.tar}
    [[ -f $BASE ]] || build_base "$BASE"
    echo "trying $(git -C "$ROOT" rev-parse --short "$REF")"
}

build_base() { # TAR
    local start=$EPOCHREALTIME
    mmdebstrap --quiet --format=tar --variant=minbase \
        --include=python3.11,python3.11-venv,make,ca-certificates \
        bookworm "$WORK/built.tar" ${FRESH_MIRROR:+"$FRESH_MIRROR"}
    mv "$WORK/built.tar" "$1"
    echo "bare Debian 12 built in $(seconds_since "$start") s"
}

pass_on_file() { # MACHINE FILE [TARGET]: same contents at the same path, or at TARGET
    [[ -f $2 ]] && install -D -m 0644 "$2" "$1${3:-$2}"
}

pass_on_files() { # MACHINE
    local config
    for config in /etc/resolv.conf /etc/hosts /etc/pip.conf \
        /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/java/cacerts; do
        pass_on_file "$1" "$config" || true
    done
    for config in .pip/pip.conf .config/pip/pip.conf .config/go/env .npmrc \
        .cargo/config.toml .m2/settings.xml; do
        pass_on_file "$1" "$HOME/$config" "$TESTER/$config" || true
    done
}

# Writes the environment of the machine's user to env, one NAME=value a line.
pass_on_network() { # MACHINE
    local machine=$1 name value
    pass_on_files "$machine"
    printf '%s\n' HOME="$TESTER" USER=tester LANG=C.UTF-8 \
        PATH=/usr/local/bin:/usr/bin:/bin >"$machine.env"
    while IFS='=' read -r -d '' name value; do
        case $name in
            PIP_CONFIG_FILE | PIP_CERT | SSL_CERT_FILE | REQUESTS_CA_BUNDLE | \
                CURL_CA_BUNDLE | NODE_EXTRA_CA_CERTS | CARGO_HTTP_CAINFO)
                pass_on_file "$machine" "$value" || continue ;;
            PIP_*INDEX_URL | PIP_TRUSTED_HOST | PIP_PROXY | PIP_*TIMEOUT | PIP_RETRIES) ;;
            http_proxy | https_proxy | no_proxy | all_proxy) ;;
            HTTP_PROXY | HTTPS_PROXY | NO_PROXY | ALL_PROXY) ;;
            GOPROXY | GOSUMDB | GONOSUMDB | GOPRIVATE | MAVEN_OPTS | MAVEN_ARGS) ;;
            npm_config_registry | npm_config_*proxy | CARGO_HTTP_PROXY | CARGO_REGISTR*) ;;
            *) continue ;;
        esac
        printf '%s=%s\n' "$name" "$value" >>"$machine.env"
    done < <(env -0)
}

new_machine() { # NAME
    local machine=$WORK/$1
    mkdir "$machine"
    tar -x -C "$machine" -f "$BASE"
    echo "tester:x:$TESTER_ID:$TESTER_ID::$TESTER:/bin/sh" >>"$machine/etc/passwd"
    echo "tester:x:$TESTER_ID:" >>"$machine/etc/group"
    mkdir -p "$machine$TESTER/ohhell"
    git -C "$ROOT" archive "$REF" | tar -x -C "$machine$TESTER/ohhell"
    pass_on_network "$machine"
    chown -R "$TESTER_ID:$TESTER_ID" "$machine$TESTER"
    (cd "$machine$TESTER/ohhell" && find . -type f | sort) >"$machine.tree"
}

run_inside() { # UID NAME LOG COMMAND [NAME=value...]
    local user=$1 name=$2 log=$3 command=$4 environment
    shift 4
    mapfile -t environment <"$WORK/$name.env"
    unshare --mount --pid --fork --kill-child \
        "$HERE/inside.sh" "$WORK/$name" "$user" "$log" "$command" "${environment[@]}" "$@"
}

# Runs a command in the project, as the machine's user.
on_machine() { # NAME LOG COMMAND
    run_inside "$TESTER_ID" "$@"
}

nothing_left() { # LOG
    [[ ! -s $1.left ]] || { cat "$1.left" >&2; return 1; }
}

show_end() { # LOG
    tail -n 40 "$1" | sed 's/^/    | /'
}
