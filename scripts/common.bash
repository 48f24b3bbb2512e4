# Functions shared by scripts/test, scripts/samples and other scripts, which source this file with the
# repository's root as the current folder.
. scripts/deps/common.bash
jobs=$coopc_jobs
configure_options=()  # of build(), in addition to the preset's

# help_if_asked ARGUMENT...: if the first argument asks for help, prints the opening comment of the calling
# script, and exits.
help_if_asked() {
  case ${1:-} in
    -h | --help) sed -n -e '1d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "scripts/${0##*/}"; exit 0 ;;
  esac
}

step() { printf '\n== %s\n' "$*"; }

# build PRESET [TARGET...]: configures and builds the preset.
build() {
  local preset=$1
  shift
  step "build ($preset)"
  local -a options=("${configure_options[@]}") targets=()
  if command -v ccache >/dev/null; then options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  cmake --preset "$preset" "${options[@]}" >"build-$preset.log" 2>&1 || { cat "build-$preset.log" >&2; exit 1; }
  rm -f "build-$preset.log"
  if [ $# -gt 0 ]; then targets=(--target "$@"); fi
  cmake --build --preset "$preset" --parallel "$jobs" "${targets[@]}"
}

# driver_wrapper NAME: the wrapper of a driver in the cache, or "".
driver_wrapper() { if dep_ready "$1"; then printf '%s/bin/run' "$(dep_dir "$1")"; fi; }

# sample_row TABLE NAME: the row of a sample in a table (tests/lower/use/samples_newest.txt describes the
# form), without its name: "run M=64 N=64", "native", "not REASON". "native" if the table has no row for it.
sample_row() {
  local kind name rest
  while read -r kind name rest; do
    if [ "$name" = "$2" ] && [[ $kind =~ ^(run|native|not)$ ]]; then
      printf '%s %s\n' "$kind" "$rest"
      return
    fi
  done <"$1"
  printf 'native\n'
}

# describe_devices: prints which Vulkan devices there are: the machine's own, and the drivers in the cache.
describe_devices() {
  local cooprun=$1/bin/cooprun wrapper name
  [ -x "$cooprun" ] || return 0
  step "Vulkan devices"
  printf 'of this machine:\n'
  { "$cooprun" --list 2>&1 || true; } | sed -n '/^[^ ]/s/^/  /p'
  for name in lavapipe lavapipe_newest; do
    wrapper=$(driver_wrapper "$name")
    [ -n "$wrapper" ] || continue
    printf 'in the cache (%s):\n' "$name"
    { "$wrapper" "$PWD/$cooprun" --list 2>&1 || true; } | sed -n '/^[^ ]/s/^/  /p'
  done
  printf 'Tests that run shaders use those of the cache, so that they give the same results everywhere.\n'
}

# describe_skips: prints which tests are left out because something is missing, and how to get it.
describe_skips() {
  local name
  for name in lavapipe lavapipe_newest drivers newest_tools llama_shaders; do
    dep_ready "$name" || say "skipped: tests that need $name; get it by: ./setup $name"
  done
}
