#!/usr/bin/env bash
# Keeps the direction of the folders: app -> ui -> engine, and what each may not see.
# Usage: check_layers.sh BUILD_FOLDER; reads what the compiler really opened (ninja -t deps), also through other headers.
set -euo pipefail
# shellcheck source=resources/scripts/common.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/common.sh"

folder=${1:?usage: check_layers.sh BUILD_FOLDER}

# objects ; objects left out ; what they may not include ; the invariant, in words
rules='
^engine/ ; ; /qt6/ ; the engine includes no Qt
^engine/ ; ; ^ROOT/(ui|app)/ ; the engine knows neither window nor program
^ui/ ; ; ^ROOT/app/ ; the window does not know the program
^ui/ ; ; /opencv4?/|/oneapi/|/sqlite3[.]h$|/archive[.]h$ ; the window includes no OpenCV, oneDNN, SQLite or libarchive
^(app|ui|engine)/ ; ^engine/backend/cuda/ ; /(cuda|cudnn)[^/]*[.]h$ ; only engine/backend/cuda includes CUDA
^ui/ ; ^ui/bridge/ ; ^ROOT/engine/train/trainer[.]h$ ; only ui/bridge calls the Trainer
^engine/tensor/ ; ; ^ROOT/engine/[^t]|^ROOT/engine/train/ ; tensors know no other folder of the engine
^engine/precision/ ; ; ^ROOT/engine/(backend|nn|optim|values|data|analysis|store|train)/ ; precision knows tensors only
^engine/backend/ ; ; ^ROOT/engine/(nn|optim|data|analysis|store|train)/ ; back ends know no network, data or training
^engine/(nn|optim)/ ; ; ^ROOT/engine/(data|analysis|store|train)/ ; network and optimizer know no data or training
^engine/data/ ; ; ^ROOT/engine/(backend|nn|optim|analysis|store|train)/ ; data knows tensors and values only
^engine/(analysis|store)/ ; ; ^ROOT/engine/(backend|nn|optim|data|train)/ ; analysis and store know values only
'

ninja -C "$folder" -t deps | awk -v root="$root" -v rules="$rules" '
    function trimmed(text) { gsub(/^ +| +$/, "", text); return text }
    BEGIN {
        lines = split(rules, line, "\n")
        for (i = 1; i <= lines; ++i) {
            if (split(line[i], part, ";") < 4) continue
            ++count
            objects[count] = trimmed(part[1])
            except[count] = trimmed(part[2])
            forbidden[count] = trimmed(part[3])
            words[count] = trimmed(part[4])
        }
    }
    /^[^ ].*: #deps / { object = substr($0, 1, index($0, ": #deps") - 1); ++compiled; next }
    /^    / {
        dependency = trimmed($0)
        if (index(dependency, root "/") == 1) dependency = "ROOT" substr(dependency, length(root) + 1)
        for (i = 1; i <= count; ++i)
            if (object ~ objects[i] && (except[i] == "" || object !~ except[i]) && dependency ~ forbidden[i]) {
                printf "%s includes %s, but %s\n", object, dependency, words[i]
                broken = 1
            }
    }
    END {
        if (compiled == 0) { print "nothing is built here yet; build all first"; exit 1 }
        if (broken) exit 1
        printf "%d objects keep the %d rules\n", compiled, count
    }'
