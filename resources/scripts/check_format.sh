#!/usr/bin/env bash
# Fails if a C++ or CUDA source of ours is not as .clang-format says; --fix writes them so.
set -euo pipefail
# shellcheck source=resources/scripts/common.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/common.sh"

cd "$root"
mapfile -d '' -t files < <(find app engine ui tests -type f \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 | sort -z)
((${#files[@]} > 0)) || fail "no sources found below $root"
case ${1:-} in
--fix) clang-format -i "${files[@]}" ;;
"") clang-format --dry-run -Werror "${files[@]}" ;;
*) fail "usage: check_format.sh [--fix]" ;;
esac
