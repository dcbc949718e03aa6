#!/usr/bin/env bash
# Every line and every branch of the rules that the project is about (policies, roundings, loss scaling, optimizers, the
# loss) is run by a test; fails and names what is not.
# Branches that only an exception of a callee takes do not count. The kernels' loops over lanes are not among them: they
# are held to the double reference on every instruction set.
set -euo pipefail
# shellcheck source=resources/scripts/common.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/common.sh"

folder=$root/build/coverage
build coverage halfstep_precision_tests halfstep_rules_tests
find "$folder" -name '*.gcda' -delete
"$folder/tests/engine/numerics/halfstep_precision_tests" --gtest_brief=1
"$folder/tests/engine/numerics/halfstep_rules_tests" --gtest_brief=1
gcovr --root "$root" --object-directory "$folder" "$folder/engine" "$folder/tests/engine/numerics" \
    --filter "$root/engine/precision/" --filter "$root/engine/optim/" --filter "$root/engine/backend/cpu/softmax_row" \
    --exclude-throw-branches --exclude-unreachable-branches --print-summary --fail-under-line 100 --fail-under-branch 100
