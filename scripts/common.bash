# Functions that scripts/test and scripts/samples share. Sourced with the repository's root as the current folder.
. scripts/deps/common.bash
jobs=$coopc_jobs
configure_options=()  # of build, besides the preset's

# help_if_asked ARGUMENT...: prints the comment that the calling script opens with and exits, if the first argument asks for help.
help_if_asked() {
  case ${1:-} in
    -h | --help) sed -n -e '1d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "scripts/${0##*/}"; exit 0 ;;
  esac
}

step() { printf '\n== %s\n' "$*"; }

# build PRESET [TARGET...]
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

# The wrapper of a driver in the cache, or "".
driver_wrapper() { if dep_ready "$1"; then printf '%s/bin/run' "$(dep_dir "$1")"; fi; }

# The row of a sample in a table (tests/lower/use/samples_newest.txt describes the form), without its name: "run M=64 N=64", "native",
# "not REASON". "native" for a sample that is not in it.
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

# Says which Vulkan devices there are: the machine's own, and the drivers in the cache.
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

# Says what is left out of the tests because something is not there, and how to get it.
describe_skips() {
  local name
  for name in lavapipe lavapipe_newest drivers newest_tools llama_shaders; do
    dep_ready "$name" || say "skipped: tests that need $name; get it by: ./setup $name"
  done
}
