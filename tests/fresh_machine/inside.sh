#!/usr/bin/env bash
# Runs one command on a machine made by machine.sh, as the user given and with only the
# environment given:
#
#   unshare --mount --pid --fork --kill-child \
#       inside.sh MACHINE UID LOG COMMAND NAME=value...
#
# Output goes to LOG, processes that the command left running to LOG.left. It is the
# first process of a process namespace, so those end with it; so do the mounts.
set -euo pipefail

machine=$1 user=$2 log=$3 command=$4
shift 4

mount -t proc proc "$machine/proc"
mount -t tmpfs -o mode=1777 tmpfs "$machine/tmp"
mkdir -p "$machine/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$machine/dev/shm"
# Every real machine has pseudo-terminals.
mkdir -p "$machine/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$machine/dev/pts"
ln --symbolic --force pts/ptmx "$machine/dev/ptmx"

status=0
chroot --userspec="$user:$user" --groups= "$machine" /usr/bin/env -i "$@" \
    /bin/sh -c "cd ~/ohhell && exec $command" </dev/null >"$log" 2>&1 || status=$?

for process in "$machine"/proc/[0-9]*; do
    if [[ ${process##*/} != "$$" ]]; then
        tr '\0' ' ' <"$process/cmdline" 2>/dev/null || true # it has ended meanwhile
    fi
done >"$log.left"

exit "$status"
