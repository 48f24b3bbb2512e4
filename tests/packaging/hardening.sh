#!/usr/bin/env bash
# hardening.sh ALL|LINKED FILE...: checks which parts of Debian's hardening programs and shared libraries
# have. LINKED: no executable stack, and read-only relocations. ALL, for a build with COOPC_HARDEN: also
# binding at the start, position independence, checked calls of the C library, and checked stacks. coopc
# itself is linked statically at a fixed address; docs/packages.md says why.
set -euo pipefail
level=$1
shift
looked=0 failed=0
lacks() { echo "$1: $2"; failed=$((failed + 1)); }
for file in "$@"; do
  looked=$((looked + 1))
  segments=$(readelf -Wl "$file") dynamic=$(readelf -Wd "$file" 2>/dev/null) symbols=$(readelf -Ws "$file")
  grep -q 'GNU_RELRO' <<<"$segments" || lacks "$file" "no read-only relocations"
  grep -qE 'GNU_STACK.* RW +0x' <<<"$segments" || lacks "$file" "its stack is executable"
  ! grep -qE 'LOAD.* RWE ' <<<"$segments" || lacks "$file" "memory that is written and executed"
  [ "$level" = ALL ] || continue
  grep -q '__stack_chk_fail' <<<"$symbols" || [ "$(basename "$file")" = coopc ] || lacks "$file" "no checked stacks"
  case $(basename "$file") in
    coopc) ;;
    *)
      grep -qE 'Type: +DYN' <<<"$(readelf -Wh "$file")" || lacks "$file" "not position-independent"
      grep -qE 'BIND_NOW|Flags: .*NOW' <<<"$dynamic" || lacks "$file" "binds lazily"
      grep -qE '__[a-z]+_chk' <<<"$symbols" || lacks "$file" "no checked calls" ;;
  esac
done
echo "$looked files, $failed findings"
[ "$looked" -ge 5 ] && [ "$failed" = 0 ]
