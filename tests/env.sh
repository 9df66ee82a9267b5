# env.sh - the same surroundings for every run of the program in tests: no colour, no user
# configuration, a fixed date. Sourced. BUILD names the build folder.
# shellcheck shell=bash

build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac

# calm COMMAND...: run it there, with `carnot` in reach. Only what is named here gets through.
calm() {
    env -i PATH="$build:$PATH" HOME=/nonexistent LC_ALL=C.UTF-8 TZ=UTC COLUMNS=100 \
        SOURCE_DATE_EPOCH=1790000000 T="${T:-/nonexistent}" TMPDIR="${TMPDIR:-/tmp}" \
        ${CARNOT_DATA:+CARNOT_DATA="$CARNOT_DATA"} \
        ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} \
        ${UBSAN_OPTIONS:+UBSAN_OPTIONS="$UBSAN_OPTIONS"} "$@"
}
