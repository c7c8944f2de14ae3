#!/bin/sh
# Builds and tests cqlgen in other releases of Debian, with their compilers, and for arm64.
#
# usage: tests/chroots.sh FOLDER STEP...        by hand, as root; needs debootstrap
#
#   FOLDER           gets a chroot for each system, of about 4 GB, with a copy of the tree in /src; those that are there are used again
#   test:SYSTEM      `make test` and `make demo`
#   compile:SYSTEM   compiles all files with each compiler at each level, without linking
#   test:arm64       the tests of trixie's chroot by programs for arm64, which qemu-user runs (Linux 6.7 or later)
#   compile:arm64    the same table for the cross compiler
#   SYSTEM           bookworm, trixie, sid, or another release of Debian
#
# The variables COMPILERS="gcc-14 clang-19" and LEVELS="-O2" choose some of them; TEST holds options of tests/run.py, ARM64_TEST those of
# test:arm64; MIRROR is the mirror of Debian (by default that of this machine's apt). Each step prints rows of a table: system, compiler,
# level or part, warnings or failures. What the programs print is in FOLDER/SYSTEM.log. The status is 1 when there was any.
# shellcheck disable=SC2016,SC2317 # other shells expand what is in single quotes; functions are called by names in variables
set -eu
[ $# -ge 2 ] || { sed -n '2,/^# shellcheck/{/shellcheck/!s/^# \{0,1\}//p}' "$0"; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
MIRROR=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/*$' | head -n 1)}
MIRROR=${MIRROR:-http://deb.debian.org/debian}
LEVELS=${LEVELS:--O0 -O1 -O2 -O3}
ARM64_TEST=${ARM64_TEST:---only unit,cases,sentences,convert,golden,diagnostics,examples,groups,tables,embed}
status=0

# inside SYSTEM COMMAND: runs it in /src of the chroot, with mounts that end with it.
inside() {
    unshare --mount --pid --fork --kill-child sh -eu -c '
        mount --make-rprivate /
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount --rbind /sys "$1/sys"
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c "cd /src && $2"' \
        sh "$folder/$1" "$2" </dev/null
}

# The same in a namespace whose binfmt_misc, of its own, runs programs for arm64 by qemu-user. `cc` is the cross compiler there.
# What qemu-user does otherwise than Linux fails: the blocked signals of threads (signals_are_left), a program that cannot be started
# or is waited for (test_exits, test_no_program, test_end), its niceness (test_stop, compiles_in_the_background), and a limit of address
# space (test_usable_memory).
inside_arm64() {
    unshare --user --map-root-user --mount --pid --fork --kill-child sh -eu -c '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount -t binfmt_misc none "$1/proc/sys/fs/binfmt_misc"
        printf "%s" ":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$1/usr/bin/qemu-aarch64-static:F" \
            >"$1/proc/sys/fs/binfmt_misc/register"
        exec chroot "$1" env -i PATH=/opt/arm64:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 CC=aarch64-linux-gnu-gcc sh -c "cd /src && $2"' \
        sh "$folder/trixie" "$2" </dev/null
}

# Makes the chroot with what tests/setup.sh installs, and copies the tree, also what is not committed.
prepare() {
    root=$folder/$1
    if [ ! -e "$root/src" ]; then
        debootstrap --variant=minbase "$1" "$root" "$MIRROR" >>"$folder/$1.log" 2>&1
        cp /etc/resolv.conf /etc/hosts "$root/etc/"
        mkdir -p "$root/src"
    fi
    find "$root/src" -mindepth 1 -maxdepth 1 ! -name out -exec rm -rf {} +  # files that were removed or have other names
    { git ls-files -z; git ls-files -z --others --exclude-standard; } | tar --null -T - -cf - | tar -xf - -C "$root/src"
    if ! cmp -s tests/setup.sh "$root/prepared"; then # the packages that it names may have changed
        inside "$1" 'sh tests/setup.sh && sh tests/setup.sh --tests' >>"$folder/$1.log" 2>&1
        cp tests/setup.sh "$root/prepared"
    fi
}

# The compilers of the release from gcc 11 and clang 14 on.
compilers() {
    if [ "$1" = arm64 ]; then
        echo aarch64-linux-gnu-gcc
    else
        inside "$1" 'apt-cache pkgnames' | grep -xE 'gcc-(1[1-9]|2[0-9])|clang-(1[4-9]|2[0-9])' | sort -V
    fi
}

row() {
    printf '%-9s %-22s %-6s %s\n' "$@"
}

# Cross compiler, qemu-user, and the libraries of arm64: those that setup.sh knows.
prepare_arm64() {
    prepare trixie
    cmp -s tests/setup.sh "$folder/trixie/prepared-arm64" && return
    libraries=$(grep -oE '\b(lib[a-z0-9-]+|zlib1g)-dev' tests/setup.sh | grep -v openmpi | sort -u | sed 's/$/:arm64/' | tr '\n' ' ')
    inside trixie "dpkg --add-architecture arm64 && apt-get -qq update &&
        apt-get -qq install -y --no-install-recommends gcc-aarch64-linux-gnu qemu-user-static $libraries" >>"$folder/arm64.log" 2>&1
    mkdir -p "$folder/trixie/opt/arm64"
    ln -sf /usr/bin/aarch64-linux-gnu-gcc "$folder/trixie/opt/arm64/cc"
    cp tests/setup.sh "$folder/trixie/prepared-arm64"
}
ARM64="OUT=out/arm64 CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar OBJCOPY=aarch64-linux-gnu-objcopy MPICC=none"

run_tests() {
    if [ "$1" = arm64 ]; then
        prepare_arm64
        set -- arm64 inside_arm64 "make -s $ARM64 test TEST='$ARM64_TEST'" "make -s $ARM64 demo"
    else
        prepare "$1"
        set -- "$1" inside "make -s test TEST='${TEST-}'" "make -s demo"
    fi
    "$2" "$1" "nice $3" >"$folder/$1.log" 2>&1 || status=1
    row "$1" "make test" "" "$(grep -E '^(quick|full): ' "$folder/$1.log" || echo "no result: see $folder/$1.log")"
    "$2" "$1" "nice $4" >>"$folder/$1.log" 2>&1 || { status=1; row "$1" "make demo" "" "failed"; }
}

# Rows of compilers that cannot be installed say so.
compile() {
    made='' run=$1
    if [ "$1" = arm64 ]; then
        prepare_arm64
        made=$ARM64 run=trixie
    else
        prepare "$1"
    fi
    for compiler in ${COMPILERS:-$(compilers "$1")}; do
        inside "$run" "command -v $compiler >/dev/null || apt-get -qq install -y --no-install-recommends $compiler" >>"$folder/$1.log" 2>&1 || {
            row "$1" "$compiler" - "cannot be installed"
            continue
        }
        for level in $LEVELS; do
            log=$folder/$1-$compiler$level.log
            inside "$run" "rm -rf out/compile && nice make -s -k $made OUT=out/compile CC=$compiler CFLAGS='$level -g' objects" >"$log" 2>&1 || echo "error: make" >>"$log"
            found=$(grep -cE 'warning:|error:' "$log") && status=1
            row "$1" "$compiler" "$level" "$found"
        done
    done
    rm -rf "$folder/$run/src/out/compile"
}

row system compiler level "warnings, errors"
for step; do
    case $step in
    test:*) run_tests "${step#*:}" ;;
    compile:*) compile "${step#*:}" ;;
    *)
        echo "chroots.sh: no step $step; write test:SYSTEM or compile:SYSTEM" >&2
        exit 2
        ;;
    esac
done
exit $status
