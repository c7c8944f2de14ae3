#!/bin/sh
# Checks that everything that building needs is here, with --tests also what the tests need. What is missing is installed when
# we are root on a machine with apt-get and --check is not given; otherwise the command that installs it is printed and the
# status is 1. What building, and with --tests some tests, can do without is installed, too.
set -u
# Another program that installs packages, such as the automatic updates of a new machine, holds a lock for some minutes.
APT="apt-get -qq -o DPkg::Lock::Timeout=600"
CC=${CC:-cc}
PYTHON=${PYTHON:-python3}
tests= check=
for word; do
    case $word in
    --tests) tests=$word ;;
    --check) check=$word ;;
    esac
done

# Prints the Debian packages that are missing.
missing() {
    command -v make >/dev/null || echo make
    if ! command -v "$CC" >/dev/null || ! compiles stdio.h; then
        echo gcc libc6-dev
    fi
    compiles libtcc.h || echo libtcc-dev
    tcc_runtime || echo tcc
    compiles pcre2.h -DPCRE2_CODE_UNIT_WIDTH=8 || echo libpcre2-dev
    compiles zlib.h || echo zlib1g-dev
    compiles stdio.h bzlib.h || echo libbz2-dev
    compiles lzma.h || echo liblzma-dev
    compiles zstd.h || echo libzstd-dev
    compiles sqlite3.h || echo libsqlite3-dev
    compiles xxhash.h || echo libxxhash-dev
    [ "$tests" = --tests ] || return 0
    "$PYTHON" -c 'import ctypes' 2>/dev/null || echo python3
    compiles stdarg.h stddef.h setjmp.h stdint.h cmocka.h || echo libcmocka-dev
    command -v zstd >/dev/null || echo zstd
    command -v bzip2 >/dev/null || echo bzip2
    command -v xz >/dev/null || echo xz-utils
}

# compiles HEADER... [-DNAME=VALUE]: the compiler finds these headers.
compiles() {
    flags= text=
    for word; do
        case $word in
        -*) flags="$flags $word" ;;
        *) text="$text#include <$word>
" ;;
        esac
    done
    # shellcheck disable=SC2086
    printf '%s' "$text" | "$CC" $flags -E -x c - >/dev/null 2>&1
}

# libtcc1.a, which libtcc links to what it compiles, comes with the compiler's own package.
tcc_runtime() {
    set -- /usr/lib/*/tcc/libtcc1.a /usr/lib/tcc/libtcc1.a /usr/local/lib/tcc/libtcc1.a
    for file; do
        [ -e "$file" ] && return 0
    done
    return 1
}

# What building can do without: `cqlgen serve` is left out then, or its editor is a plain field. With --tests, also what some tests can
# do without.
helpful() {
    compiles civetweb.h || echo libcivetweb-dev
    compiles jansson.h || echo libjansson-dev
    [ -e /usr/share/javascript/codemirror ] || echo libjs-codemirror
    [ "$tests" = --tests ] || return 0
    command -v zsh >/dev/null || echo zsh
    command -v git >/dev/null || echo git
    command -v mpirun >/dev/null || echo openmpi-bin
    command -v mpicc >/dev/null || echo libopenmpi-dev
    for module in setuptools wheel pandas; do
        /usr/bin/python3 -c "import $module" 2>/dev/null || echo "python3-$module"
    done
    { command -v localedef && [ -e /usr/share/i18n/locales/tr_TR ]; } >/dev/null || echo locales
    command -v mandoc >/dev/null || echo mandoc
    command -v valgrind >/dev/null || echo valgrind
    ls /usr/lib/*/libfathom.so.1 /usr/lib/libfathom.so.1 /usr/local/lib/libfathom.so.1 2>/dev/null | grep -q . || echo libfathom1
    command -v pkg-config >/dev/null || echo pkg-config
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || echo chromium
    command -v chromedriver >/dev/null || echo chromium-driver
}

may_install() {
    [ -z "$check" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Without a compiler it is missing, see below.
if macros=$(echo | "$CC" ${CFLAGS-} -dM -E -x c - 2>/dev/null) && ! echo "$macros" | grep -q __LP64__; then
    echo "setup: cqlgen needs a 64-bit processor with pointers of 64 bits; build without -m32 and -mx32" >&2
    exit 1
fi
packages=$(missing | tr '\n' ' ')
if may_install && [ -n "$(helpful)" ]; then
    $APT update >/dev/null 2>&1 || :
    for package in $(helpful); do # one by one: the others are installed even if one is unknown
        DEBIAN_FRONTEND=noninteractive $APT install -y --no-install-recommends "$package" >/dev/null 2>&1 || :
    done
fi
if [ "$tests" = --tests ] && [ -n "$(helpful)" ]; then
    echo "setup: without $(helpful | tr '\n' ' ')some tests are left out"
fi
[ -z "${packages% }" ] && exit 0
if may_install; then
    echo "installing: $packages"
    export DEBIAN_FRONTEND=noninteractive
    $APT update || : # the lists that are here may do
    # shellcheck disable=SC2086
    if $APT install -y --no-install-recommends $packages; then
        packages=$(missing | tr '\n' ' ')
        [ -z "${packages% }" ] && exit 0
    fi
    echo "setup: could not install: $packages" >&2
    exit 1
fi
echo "setup: this machine lacks: $packages" >&2
[ -n "$tests" ] && or= || or="sudo make deps, or "
echo "setup: on Debian or Ubuntu: ${or}sudo apt-get install --no-install-recommends $packages" >&2
exit 1
