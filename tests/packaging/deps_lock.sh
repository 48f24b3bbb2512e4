#!/usr/bin/env bash
# deps_lock.sh ROOT: checks that each entry of deps.lock has a checksum, that the fetching functions refuse an
# archive with another checksum and packages that no signed index lists, and that no script downloads anything
# in another way.
set -euo pipefail
root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export COOPC_CACHE=$scratch/cache
fail() { echo "$*"; exit 1; }

entries=0
while read -r name kind suite version recipe sum packages rest; do
  entries=$((entries + 1))
  [[ $kind =~ ^(deb|closure|source|npm)$ ]] || fail "$name: kind '$kind'"
  [[ $sum =~ ^[0-9a-f]{64}$ ]] || fail "$name: no SHA-256"
  [[ $recipe =~ ^r[0-9]+$ && -n $packages && -z $rest ]] || fail "$name: wrong columns"
  if [ "$kind" = npm ]; then
    grep -q 'sha256sum --check' "$root/scripts/deps/fetch-$name" || fail "$name: its script does not check"
  else
    [ "$suite" != - ] && [ "$version" != - ] || fail "$name: no suite or version"
  fi
done < <(grep -E '^[a-z]' "$root/deps.lock")
[ "$entries" -ge 25 ] || fail "only $entries entries"

. "$root/scripts/deps/common.bash"
printf 'an archive' >"$scratch/archive"
sum=$(sha256sum "$scratch/archive")
( check_sha256 "$scratch/archive" "${sum%% *}" ) || fail "the right checksum is refused"
for wrong in "$(printf '0%.0s' {1..64})" - ""; do
  ! ( check_sha256 "$scratch/archive" "$wrong" ) 2>/dev/null || fail "the checksum '$wrong' is taken"
done
options=$(apt_options testing)
grep -qx 'APT::Get::AllowUnauthenticated=false' <<<"$options" || fail "apt would take packages without a signature"
grep -q 'Signed-By: %s' "$root/scripts/deps/common.bash" || fail "the suites' sources name no keyring"
! grep -rnE '\b(curl|wget)\b|trusted=yes|allow-(unauthenticated|insecure)' "$root/setup" "$root/scripts/deps" || fail "something is fetched without a check"
echo "$entries entries"
