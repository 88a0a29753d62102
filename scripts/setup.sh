#!/bin/sh
# setup.sh - installs what PolyGPU needs and builds it in ./build.
#
# scripts/demo and scripts/check source this file; called as a program it does
# the set-up alone.  What is there already is not done again.
#
#   POLYGPU_BUILD  another build directory
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${POLYGPU_BUILD:-$root/build}
jobs=$(nproc 2>/dev/null || echo 2)

packages="clang-22 clang-format-22 clang-tidy-22 libclang-rt-22-dev llvm-22
    llvm-22-dev llvm-22-tools libpolly-22-dev cmake ninja-build python3
    python3-yaml"
# What the packages are needed for, where there is no dpkg to ask.
commands="clang-22 clang++-22 clang-format-22 clang-tidy-22 llvm-config-22
    cmake ninja python3"
# Tests of these are skipped where they cannot be installed.
test_packages="openmpi-bin libopenmpi-dev lld-22 flang-22 meson autoconf automake
    make ccache dpkg-dev"
# Those of nights: pages in a browser, what npm bundles for them, the site, what
# looks at Debian packages, and the libraries with std::mdspan and Eigen's matrices.
night_packages="chromium mkdocs lintian libc++-22-dev libeigen3-dev"
# Packages of others, like rustup, do as well.
command -v npm >/dev/null || night_packages="$night_packages npm"
command -v gcc >/dev/null || test_packages="$test_packages gcc"
command -v pkg-config >/dev/null || test_packages="$test_packages pkgconf"
ldconfig -p 2>/dev/null | grep -q 'libomp\.so\.5 ' ||
    test_packages="$test_packages libomp5-19"
command -v rustc >/dev/null || test_packages="$test_packages rustc-web"

say() {
    printf '== %s\n' "$*"
}

# One sentence that says what is missing and how to get it.
die() {
    printf 'PolyGPU: %s\n' "$*" >&2
    exit 1
}

# The packages of "$packages" that are not installed.
missing_packages() {
    # shellcheck disable=SC2086
    installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $packages \
        2>/dev/null | awk '$2 == "installed" { print $1 }')
    for package in $packages; do
        printf '%s\n' "$installed" | grep -qxF "$package" ||
            printf '%s ' "$package"
    done
}

# The ones among "$@" that no package list offers.
unknown_packages() {
    for package; do
        apt-cache policy "$package" 2>/dev/null |
            grep -q '^  Candidate: [^(]' || printf '%s ' "$package"
    done
}

install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null
    then
        for command in $commands; do
            command -v "$command" >/dev/null ||
                die "'$command' was not found, and this is no Debian system on which it could be installed; install LLVM 22 with clang and Polly, CMake, Ninja and Python 3."
        done
        return
    fi

    missing=$(missing_packages)
    [ "$missing" ] || return 0

    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            die "the packages ${missing% } are missing, and only root can install them; run as root: apt-get install ${missing% }"
        as_root=sudo
    fi

    say "Installing ${missing% }"
    updated=yes
    $as_root apt-get update -o APT::Update::Error-Mode=any || updated=
    # shellcheck disable=SC2086
    unknown=$(unknown_packages $missing)
    if [ "$unknown" ] && [ ! "$updated" ]; then
        die "the packages ${unknown% } are missing, and the package lists could not be fetched; connect this machine to the network (or to a Debian mirror) and run this again."
    elif [ "$unknown" ]; then
        die "this system's package lists do not have ${unknown% }; on Debian 12 they come from 'deb http://deb.debian.org/debian-security bookworm-security main', elsewhere see https://apt.llvm.org for LLVM 22."
    fi
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install \
        --yes --no-install-recommends $missing ||
        die "the packages ${missing% } could not be installed (apt-get says why above); without network connect this machine to one, else run: apt-get install ${missing% }"
}

install_test_packages() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        return 0
    missing=$(packages=$test_packages && missing_packages)
    [ "$missing" ] || return 0
    say "Installing ${missing% }, for tests"
    as_root=
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    # shellcheck disable=SC2086
    { [ ! "$(unknown_packages $missing)" ] || $as_root apt-get update; } &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install \
            --yes --no-install-recommends $missing && return
    say "Without ${missing% }, the tests of them are skipped"
}

# configure DIRECTORY [OPTION...]
configure() {
    directory=$1
    shift
    if [ -e "$directory/build.ninja" ]; then
        [ $# -eq 0 ] || cmake "$@" "$directory" >/dev/null
        return
    fi
    say "Configuring $directory"
    cmake -S "$root" -B "$directory" -G Ninja \
        -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@"
}

# build DIRECTORY [TARGET...]
build() {
    directory=$1
    shift
    say "Building $directory"
    cmake --build "$directory" --parallel "$jobs" ${1:+--target "$@"}
}

case ${0##*/} in
setup.sh)
    install_packages
    configure "$build" || die "configuring failed; the reason is above."
    build "$build" || die "building failed; the reason is above."
    ;;
esac
