# What app/run, tests/run and .ci/run share: packages, configuring, building. Sourced, never run.
# Everything said here goes to stderr: stdout belongs to the program.
# shellcheck shell=bash

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

say() { printf 'halfstep: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# missing_packages LIST...: names in resources/packages/LIST.txt that are not installed, also not as another's "Provides".
missing_packages() {
    local lists=("${@/#/$root/resources/packages/}")
    comm -23 \
        <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "${lists[@]/%/.txt}" | sort -u) \
        <(dpkg-query -W -f '${db:Status-Status} ${Package},${Provides}\n' | sed -n 's/^installed //p' |
            sed -e 's/([^)]*)//g' -e 's/ //g' | tr ',' '\n' | sort -u)
}

# install_packages LIST...: installs what is missing and touches nothing when all is there.
install_packages() {
    if ! command -v dpkg-query apt-get >/dev/null; then
        say "packages can be installed for you on Debian and Ubuntu only; what is needed is listed in resources/packages"
        return
    fi
    local missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} > 0)) || return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "these packages are missing: ${missing[*]}; install them as root (sudo is not there), then start this again"
        as_root=(sudo)
    fi
    say "installing packages (on a fresh system about 3 minutes): ${missing[*]}"
    # A dead mirror is not yet a failure: the package may be in apt's own cache. The install decides.
    "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=600 update >&2 </dev/null || say "apt-get update failed; trying with the lists there are"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 \
        install --no-install-recommends "${missing[@]}" >&2 </dev/null ||
        fail "apt-get could not install ${missing[*]}; the reason stands above (is the network there, may you use sudo?)"
}

# One compiler a core, but not more than memory allows: a Qt or Highway source takes up to 1 GB.
build_jobs() {
    local cores gigabytes
    cores=$(nproc)
    gigabytes=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1048576))
    echo $((gigabytes < 1 ? 1 : cores < gigabytes ? cores : gigabytes))
}

# configure PRESET: runs CMake if this folder was not configured yet; later changes are ninja's to see.
configure() {
    local preset=$1 folder=$root/build/$1
    mkdir -p "$folder"
    # A build folder that was copied along with the sources still names the old place: start it afresh.
    if [[ -f $folder/build.ninja ]] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        return
    fi
    say "configuring $folder"
    (cd "$root" && cmake --fresh --preset "$preset") >"$folder/configure.log" 2>&1 || {
        cat "$folder/configure.log" >&2
        rm -f "$folder/build.ninja"
        fail "CMake could not configure the build; the reason stands above"
    }
}

# build PRESET [TARGET...]: configures once, builds what is out of date, says nothing when there is nothing to do.
build() {
    local preset=$1 folder=$root/build/$1 lock
    shift
    if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder ]]; then
        fail "cannot write to $folder; give it to $(id -un) or remove it"
    fi
    # Two starts at once must not build in one folder at once.
    exec {lock}>"$folder/.lock"
    flock -n "$lock" || { say "waiting for another build in $folder"; flock "$lock"; }
    configure "$preset"
    if [[ $(ninja -C "$folder" -n "$@" 2>&1) != *"no work to do"* ]]; then
        say "building in $folder (the first time takes minutes)"
        ninja -C "$folder" -j "$(build_jobs)" "$@" >&2 || fail "the build failed; the reason stands above"
    fi
    exec {lock}>&-
}

# run_tests PRESET [CTEST ARGUMENT...]: ctest in a home of its own, so that nobody's runs and caches are touched.
run_tests() {
    local preset=$1 home status=0
    shift
    home=$(mktemp -d)
    chmod 700 "$home"
    (cd "$root" && env XDG_DATA_HOME="$home/data" XDG_CACHE_HOME="$home/cache" XDG_CONFIG_HOME="$home/config" \
        XDG_RUNTIME_DIR="$home" ctest --preset "$preset" "$@") || status=$?
    rm -rf -- "$home"
    return $status
}
