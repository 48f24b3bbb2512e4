# Functions of `setup`: the cache, deps.lock, and Debian packages of other suites, which do not change the
# system.
#
# Each suite has a private apt configuration in the cache: a sources file that uses the machine's own mirror,
# and separate lists and archives. It works as root and as an ordinary user.

coopc_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
coopc_cache=${COOPC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/coopc}
coopc_jobs=${COOPC_JOBS:-$(nproc)}
# The target of libraries of kind `source`: "" is this machine; otherwise a file of cmake/toolchains.
# Libraries for another machine are used by tests only, so they are compiled quickly, with -O1.
coopc_target=${COOPC_TARGET:-}
target_options=()
if [ -n "$coopc_target" ]; then target_options=(-DCMAKE_TOOLCHAIN_FILE="$coopc_root/cmake/toolchains/$coopc_target.cmake" "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"); fi

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# lock NAME: sets kind, suite, version, recipe, sha256 and packages of the entry.
lock() {
  local line
  line=$(awk -v n="$1" '$1 == n { print; exit }' "$coopc_root/deps.lock")
  [ -n "$line" ] || die "deps.lock has no entry '$1'"
  read -r _ kind suite version recipe sha256 packages <<<"$line"
  packages=${packages//,/ }
}

# dep_dir NAME: the folder of the entry in the cache.
dep_dir() { ( lock "$1"; [ "$kind" = source ] || coopc_target=; printf '%s/%s/%s-%s\n' "$coopc_cache" "$1" "$version" "$recipe${coopc_target:+-$coopc_target}" ); }
dep_ready() { [ -e "$(dep_dir "$1")/.complete" ]; }

# apt_mirror: the mirror in the machine's own sources, in deb822 or one-line format.
apt_mirror() {
  local f
  for f in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources; do
    [ -e "$f" ] || continue
    awk 'tolower($1) == "uris:" && $2 ~ /debian/ && $2 !~ /security/ { print $2; exit }' "$f" | grep . && return
  done
  awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\// && $i !~ /security/) { print $i; exit } }' \
    /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | grep . && return
  die "no Debian mirror in /etc/apt: this script gets its packages by apt (docs/building.md says what to provide elsewhere)"
}

# apt_options SUITE: the options of its private configuration, one per line. A -backports suite also has its
# base suite, and -t makes the newer packages win.
apt_options() {
  local d=$coopc_cache/apt/$1
  printf '%s\n' -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$d/parts" -o "Dir::State::Lists=$d/lists" \
    -o "Dir::Cache=$d/cache" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Check-Valid-Until=false \
    -o Acquire::Retries=3 -o Debug::NoLocking=1 -o APT::Get::AllowUnauthenticated=false -o APT::Sandbox::User= -q -q
  case $1 in *-backports) printf '%s\n' -t "$1" ;; esac
}

# apt_suite SUITE: creates and updates its configuration, once per run.
declare -A apt_updated=()
apt_suite() {
  [ -z "${apt_updated[$1]:-}" ] || return 0
  local d=$coopc_cache/apt/$1 suites=$1 mirror keyring
  mkdir -p "$d/parts" "$d/lists/partial" "$d/cache/archives/partial"
  case $1 in *-backports) suites="${1%-backports} $1" ;; esac
  mirror=$(apt_mirror)
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  printf 'Types: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$mirror" "$suites" "$keyring" \
    >"$d/parts/suite.sources"
  local -a options
  mapfile -t options < <(apt_options "$1")
  apt-get "${options[@]}" update || { say "cannot reach the Debian mirror for suite $1"; return 1; }
  apt_updated[$1]=yes
}

check_sha256() {  # FILE SUM
  printf '%s  %s\n' "$2" "$1" | sha256sum --check --status ||
    die "checksum of $(basename "$1") is not the one in deps.lock"
}

# apt_download SUITE DIR VERSION SHA256 PACKAGE...: downloads only these packages. VERSION is that of the
# first one.
apt_download() {
  local suite=$1 dir=$2 version=$3 sum=$4
  shift 4
  apt_suite "$suite" || return 1
  local -a options
  mapfile -t options < <(apt_options "$suite")
  mkdir -p "$dir"
  ( cd "$dir"
    if apt-get "${options[@]}" download "$1=$version" 2>/dev/null; then
      check_sha256 "$(ls "$dir/$1"_*.deb)" "$sum"
      shift
    else
      say "$1 $version is no longer in $suite: taking what is there"
    fi
    [ $# -eq 0 ] || apt-get "${options[@]}" download "$@" )
}

# apt_closure SUITE DIR VERSION SHA256 PACKAGE...: downloads the packages and all of their dependencies, as if
# nothing were installed.
apt_closure() {
  local suite=$1 dir=$2 version=$3 sum=$4
  shift 4
  apt_suite "$suite" || return 1
  local -a options
  mapfile -t options < <(apt_options "$suite")
  mkdir -p "$dir/archives/partial"
  : >"$dir/status"
  options+=(-o "Dir::State::status=$dir/status" -o "Dir::Cache=$dir" -o "Dir::Cache::archives=$dir/archives"
            --no-install-recommends -y --download-only)
  local first=$1
  shift
  if apt-get "${options[@]}" install "$first=$version" "$@" >/dev/null 2>"$dir/log"; then
    check_sha256 "$(ls "$dir/archives/$first"_*.deb)" "$sum"
  else
    say "$first $version is no longer in $suite: taking what is there"
    apt-get "${options[@]}" install "$first" "$@" >/dev/null || { cat "$dir/log" >&2; return 1; }
  fi
}

# unpack DIR ROOT: unpacks all archives of DIR.
unpack() {
  local f
  mkdir -p "$2"
  for f in "$1"/*.deb; do dpkg -x "$f" "$2"; done
  # Newer suites do not have the links of a merged /usr.
  for f in lib lib64 bin; do
    if [ -d "$2/$f" ] && [ ! -L "$2/$f" ]; then cp -a "$2/$f/." "$2/usr/$f/" 2>/dev/null || { mkdir -p "$2/usr/$f"; cp -a "$2/$f/." "$2/usr/$f/"; }; rm -rf "${2:?}/$f"; fi
  done
}

# apt_source SUITE DIR VERSION SHA256 PACKAGE: downloads the upstream archive of a source package, and unpacks
# it into DIR/source.
apt_source() {
  apt_suite "$1" || return 1
  local -a options
  mapfile -t options < <(apt_options "$1")
  ( cd "$2/archives"
    apt-get "${options[@]}" source --download-only --tar-only "$5=$3" >/dev/null
    local archive
    archive=$(ls "$2/archives/"*.orig.tar.*)
    check_sha256 "$archive" "$4"
    mkdir -p "$2/source"
    tar -xf "$archive" -C "$2/source" --strip-components=1 )
}

# links DIR LIBRARY... <SOURCE: whether a program with static libraries of the unpacked packages can be linked
# with this machine's compiler, and then succeeds.
links() {
  local dir=$1 probe=$1/.probe library
  local -a files=()
  shift
  for library in "$@"; do files+=("$(find "$dir/usr/lib" -name "$library")"); done
  mkdir -p "$probe"
  cat >"$probe/main.cpp"
  if "${CXX:-c++}" -std=c++20 -I"$dir/usr/include" "$probe/main.cpp" "$coopc_root"/cmake/newer_runtime/*.cpp "${files[@]}" \
      -o "$probe/main" >"$probe/log" 2>&1 && "$probe/main" >>"$probe/log" 2>&1; then
    rm -rf "$probe"
    return 0
  fi
  say "the static libraries do not link with ${CXX:-c++}: $(grep -m 1 -E 'undefined|error' "$probe/log" || tail -1 "$probe/log")"
  return 1
}
