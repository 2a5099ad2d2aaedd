#!/usr/bin/env bash
# Does the image of deploy/Dockerfile build, and can it do what it is for?
#
#   tests/image/run.sh
#
# Builds the committed tree, without a container daemon and without a registry: the
# base is a Debian 12 made here, whose Python stands in for that of python:3.11-slim.
# Then `ohhell serve` runs in the image, as its user and with its environment, and
# plays a match with the script of docs/serving.md; then a tournament is run there.
#
# How the caller reaches package indexes (pip settings, certificates, proxies) is lent
# to the build and must leave no trace in the image.
#
# Needs root, git, buildah and mmdebstrap. Settings:
#   IMAGE_BASE     tar of the base: used if it exists, written if it does not
#   IMAGE_MIRROR   Debian mirror for it (default: mmdebstrap's own)
#   IMAGE_REF      commit to build (default: HEAD)
set -euo pipefail

HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
readonly HERE ROOT
readonly REF=${IMAGE_REF:-HEAD}
readonly IMAGE=localhost/ohhell
readonly PATIENCE_S=60

# shellcheck source-path=SCRIPTDIR source=../findings.sh
. "$ROOT/tests/findings.sh"

# Plain folders and chroots: needs no more than root has in a container, too.
builder() {
    buildah --root "$WORK/storage" --runroot "$WORK/running" --storage-driver vfs "$@"
}

show_end() { # LOG [LINES]
    tail -n "${2:-8}" "$1" | sed 's/^/    | /'
}

build_base() { # TAR
    mmdebstrap --quiet --format=tar --variant=minbase \
        --include=python3,python3-venv,python3-dev,ca-certificates \
        bookworm "$WORK/built.tar" ${IMAGE_MIRROR:+"$IMAGE_MIRROR"}
    mv "$WORK/built.tar" "$1"
}

# The base as an image of its own, as a registry would have it.
load_base() { # TAR NAME
    local container
    container=$(builder from scratch)
    builder add --quiet "$container" "$1" / >/dev/null
    builder commit --quiet "$container" "$2" >/dev/null
    builder rm "$container" >/dev/null
}

# Writes the pip settings of the environment as a file; proxies are build arguments
# that every builder knows.
lend_network() { # CONFIG
    local name value
    if [[ -f /etc/pip.conf ]]; then
        cat /etc/pip.conf
    else
        echo '[global]'
    fi >"$1"
    for name in INDEX_URL EXTRA_INDEX_URL TRUSTED_HOST; do
        value=PIP_$name
        [[ -z ${!value:-} ]] || echo "${name,,} = ${!value}" | tr _ - >>"$1"
    done
    lent=(--volume "$1:/etc/pip.conf:ro")
    local certificates=/etc/ssl/certs/ca-certificates.crt
    [[ ! -f $certificates ]] || lent+=(--volume "$certificates:$certificates:ro")
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [[ -z ${!name:-} ]] || lent+=(--build-arg "$name=${!name}")
    done
}

build_image() { # LOG
    mkdir "$WORK/tree"
    git -C "$ROOT" archive "$REF" | tar -x -C "$WORK/tree"
    builder build --isolation chroot --format docker --build-arg BASE="$IMAGE-base" \
        "${lent[@]}" --file "$WORK/tree/deploy/Dockerfile" --tag "$IMAGE" \
        "$WORK/tree" >"$1" 2>&1
}

configured() { # FIELD VALUE
    local found
    found=$(builder inspect --type image --format "{{.Docker.Config.$1}}" "$IMAGE")
    [[ $found == "$2" ]] || { echo "$1 is $found" >&2; return 1; }
}

# Runs a command in the container: as its user, in its folder, with its environment.
inside() {
    builder run --isolation chroot "$container" -- "$@"
}

nothing_was_left_behind() {
    inside sh -c '! test -s /etc/pip.conf && ! test -e /source'
}

# The server's process tells its number, which is the same out here.
start_server() { # LOG
    : >"$1"
    inside sh -c \
        'echo $$; exec ohhell serve --game-port 0 --admin-port 0 --http-port 0' \
        </dev/null >"$1" 2>"$1.errors" &
    serving=$!
    local waited
    for ((waited = 0; waited < PATIENCE_S * 10; waited++)); do
        server=$(sed -n 1p "$1")
        game=$(awk '$1 == "game" { print $2 }' "$1")
        probes=$(awk '$1 == "metrics" { print $2 }' "$1")
        [[ -z $probes ]] || return 0 # it is told last
        kill -0 "$serving" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}

# The command of the image's own health check, at the port that is in force.
health_check_passes() {
    local command port=${probes%/metrics}
    port=${port##*:}
    command=$(builder inspect --type image \
        --format '{{index .Docker.Config.Healthcheck.Test 3}}' "$IMAGE")
    inside python3 -c "${command//9464/$port}" </dev/null
}

plays_a_match() {
    inside python3 -c "$(
        awk '/^```python play_a_match.py/ { on = 1; next } /^```/ { on = 0 } on' \
            "$WORK/tree/docs/serving.md"
    )" "$game" </dev/null
}

stops_on_sigterm() {
    local status=0
    kill -TERM "$server"
    wait "$serving" || status=$?
    serving=
    [[ $status == 0 ]] || { echo "status $status" >&2; return 1; }
}

runs_a_tournament() { # LOG
    inside sh -c 'cat >few.toml && exec ohhell tournament run few.toml' >"$1" 2>&1 \
        < <(sed 's/^blocks = .*/blocks = 4/' "$WORK/tree/examples/quickstart.toml")
}

clean_up() {
    if [[ -n $serving ]]; then
        kill -KILL "${server:-$serving}" 2>/dev/null || true
        wait "$serving" || true
    fi
    builder rm --all >/dev/null 2>&1 || true
    rm -rf --one-file-system "$WORK"
}

((EUID == 0)) || { echo "needs root, for chroots" >&2; exit 1; }
need git
need buildah
need mmdebstrap

WORK=$(mktemp -d)
readonly WORK
serving='' server=''
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

tar=${IMAGE_BASE:-$WORK/base.tar}
[[ -f $tar ]] || build_base "$tar"
load_base "$tar" "$IMAGE-base"
declare -a lent
lend_network "$WORK/pip.conf"

echo "building $(git -C "$ROOT" rev-parse --short "$REF")"
check "the image builds" build_image "$WORK/build.log"
((failed == 0)) || {
    show_end "$WORK/build.log" 40
    exit 1
}
container=$(builder from "$IMAGE")

check "it runs the ohhell command" configured Entrypoint "[ohhell]"
check "which serves unless told otherwise" configured Cmd "[serve]"
check "not as root" configured User 10001:10001
check "it keeps its data in a volume" configured Volumes "map[/var/lib/ohhell:{}]"
check "what was lent to the build is not in it" nothing_was_left_behind
check "what was compiled is what runs" \
    inside python3 -c "$(cat "$HERE/compiled.py")" </dev/null

check "it serves" start_server "$WORK/serve.log"
show_end "$WORK/serve.log.errors"
check "its health check passes" health_check_passes
check "a match can be played against it" plays_a_match
check "an operator can register a bot" inside ohhell bot register ada </dev/null
check "it stops when told to" stops_on_sigterm
check "a health check without a server fails" eval '! health_check_passes 2>/dev/null'
check "a tournament can be run in it" runs_a_tournament "$WORK/tournament.log"
show_end "$WORK/tournament.log"

conclude
