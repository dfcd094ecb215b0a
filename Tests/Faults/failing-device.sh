#!/usr/bin/env bash
# A disk whose writes fail on demand in the kernel itself, for tests of what the simulated disk only claims.
#
# What a failed fsync leaves behind was learnt the hard way by PostgreSQL in 2018 (https://wiki.postgresql.org/wiki/Fsync_Errors).
# No kernel module is needed to see it: an ext4 image lies, sparse, in a tmpfs of limited size, behind a loop device. While a
# ballast file fills the tmpfs, blocks of the image that were never written have no room, so writing them back fails; the
# page cache took the write long before. Without the ballast the device is well again. Inodes and journal get their room when
# the image is made, so that only what is in files fails, and the file system itself stays as it is.
#
#   failing-device.sh check             prints READY, or SKIPPED and why (root, mounts and a loop device are needed)
#   failing-device.sh make FOLDER       mounts the disk at FOLDER/disk
#   failing-device.sh fail FOLDER FILE OFFSET
#                                       from now on no block can be written that is not yet, nor one of FILE from OFFSET on
#   failing-device.sh heal FOLDER       from now on all can
#   failing-device.sh remount FOLDER    unmounts the disk and mounts it again: only what the device has is left
#   failing-device.sh small FOLDER SIZE mounts a tmpfs of SIZE at FOLDER/disk instead: a disk that is soon full
#   failing-device.sh remove FOLDER     takes everything away
set -euo pipefail
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

verb=${1:?a verb is missing}
folder=${2:-}

skip() {
    echo "SKIPPED: $1"
    exit 0
}

attach() { mount -t ext4 -o loop,errors=continue "$folder/backing/image" "$folder/disk"; }

case $verb in
check)
    [ "$(uname -s)" = Linux ] || skip "the device is made of Linux's tmpfs and loop devices"
    [ "$(id -u)" -eq 0 ] || skip "mounting needs root"
    command -v mkfs.ext4 >/dev/null || skip "there is no mkfs.ext4 (package e2fsprogs)"
    trial=$(mktemp -d)
    trap '"$0" remove "$trial"' EXIT
    why=$("$0" make "$trial" 2>&1) || skip "no such device can be mounted here: ${why##*$'\n'}"
    echo READY
    ;;
make)
    mkdir -p "$folder/backing" "$folder/disk"
    mount -t tmpfs -o size=48m tmpfs "$folder/backing"
    truncate -s 160M "$folder/backing/image"
    mkfs.ext4 -q -F -b 4096 -N 512 -m 0 -J size=4 -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 "$folder/backing/image"
    # The first megabyte has the tables of inodes and blocks; inode 8 is the journal.
    fallocate -l 1M "$folder/backing/image"
    journal=$(debugfs -R 'blocks <8>' "$folder/backing/image" 2>/dev/null)
    read -r -a blocks <<<"$journal"
    [ "${#blocks[@]}" -gt 0 ] || { echo "the journal is not found" >&2; exit 1; }
    fallocate -o $((blocks[0] * 4096)) -l $(((blocks[-1] - blocks[0] + 1) * 4096)) "$folder/backing/image"
    attach
    ;;
fail)
    sync -f "$folder/disk"
    # Punched out of the image, zeros stay zeros and have no room any more. A loop device calls it a success when a write came
    # half way; so what is to fail must begin at OFFSET, and not before it.
    filefrag -b4096 -e -v "${3:?a file is missing}" |
        awk -v first=$((${4:?an offset is missing} / 4096)) '/^ *[0-9]+: / {
            gsub(/[.:]/, " ")
            skipped = first > $2 ? first - $2 : 0
            if (skipped < $6) print ($4 + skipped) * 4096, ($6 - skipped) * 4096
        }' |
        while read -r start length; do fallocate -p -o "$start" -l "$length" "$folder/backing/image"; done
    # Ends when there is no room left, which is what it is for.
    dd if=/dev/zero of="$folder/backing/ballast" bs=4096 2>/dev/null || true
    ;;
heal) rm -f "$folder/backing/ballast" ;;
remount)
    umount "$folder/disk"
    attach
    ;;
small)
    mkdir -p "$folder/disk"
    mount -t tmpfs -o "size=${3:?a size is missing}" tmpfs "$folder/disk"
    ;;
remove)
    for place in "$folder/disk" "$folder/backing"; do
        if mountpoint -q "$place"; then umount "$place" || umount -l "$place"; fi
        if [ -d "$place" ]; then rmdir "$place"; fi
    done
    rmdir "$folder"
    ;;
*)
    echo "failing-device.sh: unknown verb $verb; its first lines list them" >&2
    exit 64
    ;;
esac
