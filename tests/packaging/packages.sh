#!/usr/bin/env bash
# packages.sh BUILD SCRATCH CPACK VERSION PYTHON HARDENED [LAVAPIPE_RUN]: makes the archive and the Debian
# packages of a build, installs the packages into an empty root, and runs the programs there, which find
# nothing but the packages' files and the C++ run-time library. With LAVAPIPE_RUN, the wrapper of a driver
# without matrices, it looks at devices through the installed layer.
set -euo pipefail
build=$1 scratch=$2 cpack=$3 version=$4 python=$5 hardened=$6 driver=${7:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$scratch" && mkdir -p "$scratch/deb" "$scratch/tar"
export SOURCE_DATE_EPOCH=1700000000
"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$scratch/deb" >"$scratch/deb.log" || { cat "$scratch/deb.log"; exit 1; }
"$cpack" --config "$build/CPackConfig.cmake" -G TGZ -B "$scratch/tar" >"$scratch/tar.log" || { cat "$scratch/tar.log"; exit 1; }
fail() { echo "$*"; exit 1; }

tools=("$scratch"/deb/coopc_"$version"-*.deb) library=("$scratch"/deb/libcoopc[0-9]*.deb) development=("$scratch"/deb/libcoopc-dev_*.deb) layer=("$scratch"/deb/coopc-vulkan-layer_*.deb)
packages=("${tools[0]}" "${library[0]}" "${development[0]}")
[ -f "${tools[0]}" ] && [ -f "${library[0]}" ] && [ -f "${development[0]}" ] || fail "packages: $(ls "$scratch/deb")"
has() { # PACKAGE PATTERN
  local list
  list=$(dpkg-deb -c "$1")
  grep -qE "$2" <<<"$list" || fail "$1 has no $2: $list"
}
has "${tools[0]}" ' ./usr/bin/coopc$'
has "${tools[0]}" ' ./usr/libexec/coopc/coopc-glslang$'
has "${tools[0]}" ' ./usr/share/man/man1/coopc.1.gz$'
if [ -x "$build/bin/coopls" ]; then
  has "${tools[0]}" ' ./usr/bin/coopls$'
  has "${tools[0]}" ' ./usr/share/man/man1/coopls.1.gz$'
fi
has "${library[0]}" "/libcoopc.so.$version$"
has "${development[0]}" '/libcoopc.a$'
has "${development[0]}" '/libcoopc.so -> '
has "${development[0]}" ' ./usr/include/coopc/coopc.h$'
for name in $(dpkg-deb -c "${development[0]}" | sed -n 's:.*/lib\(coopc[^/]*\)\.a$:\1:p'); do has "${development[0]}" "/pkgconfig/$name.pc$"; done
name=VkLayer_COOPC_cooperative_matrix
if grep -qw layer "$build/CPackConfig.cmake"; then
  [ -f "${layer[0]}" ] || fail "packages: $(ls "$scratch/deb")"
  packages+=("${layer[0]}")
  has "${layer[0]}" "/coopc/lib$name.so$"
  has "${layer[0]}" " ./usr/share/vulkan/implicit_layer.d/$name.json$"
  files=$(dpkg-deb -c "${layer[0]}" | grep -vc '/$')
  [ "$files" = 6 ] || fail "the layer's package has $files files: $(dpkg-deb -c "${layer[0]}")"
fi
for package in "${packages[@]}"; do
  has "$package" '/copyright$'
  has "$package" '/changelog.gz$'
  has "$package" '/changelog.Debian.gz$'
  for field in Maintainer Description Architecture Section; do
    [ -n "$(dpkg-deb -f "$package" "$field")" ] || fail "$package: no $field"
  done
  ! grep -vE ' root/root ' <<<"$(dpkg-deb -c "$package")" || fail "$package: not root's files"
done
# Each package has a bill of materials, of exactly its files.
materials() { # PACKAGE LEAST_FILES NAME...
  local at="$scratch/apart/$(basename "$1")"
  mkdir -p "$at"
  dpkg-deb -x "$1" "$at"
  "$python" "$here/materials_test.py" "$at"/usr/share/doc/*/coopc.spdx.json "$at" "${@:2}" || fail "$1: bill of materials"
}
materials "${tools[0]}" 50 coopc spirv-headers glslang
materials "${library[0]}" 4 "$(dpkg-deb -f "${library[0]}" Package)" spirv-headers
materials "${development[0]}" 30 libcoopc-dev spirv-headers
[ ! -f "${layer[0]}" ] || materials "${layer[0]}" 5 coopc-vulkan-layer libvulkan-dev
level=LINKED
[ "$hardened" = ON ] && level=ALL
mapfile -t binaries < <(find "$scratch/apart" -type f \( -path '*/usr/bin/*' -o -path '*/libexec/coopc/*' -o -name '*.so' -o -name '*.so.*' \))
bash "$here/hardening.sh" $level "${binaries[@]}" || fail "hardening"
[[ $(dpkg-deb -f "${development[0]}" Depends) == *"libcoopc"*"(= $version-"* ]] || fail "libcoopc-dev does not depend on the library"
if command -v lintian >/dev/null; then lintian --fail-on error "$scratch"/deb/*.deb; else echo "lintian is not installed: not run"; fi

root=$scratch/root
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
  : >"$root/var/lib/dpkg/status"
  # Dependencies are checked above. An empty root has no database that contains them.
  dpkg --root="$root" --force-depends --force-script-chrootless -i "$scratch"/deb/*.deb >"$scratch/dpkg.log" 2>&1 || { cat "$scratch/dpkg.log"; exit 1; }
  enter() { chroot "$root" "$@"; }
else
  for package in "$scratch"/deb/*.deb; do dpkg-deb -x "$package" "$root"; done
  echo "no root rights: unpacked, not installed"
fi
for program in "$root"/usr/bin/* "$root"/usr/libexec/coopc/* "$root"/usr/lib/libcoopc.so."$version"; do
  { ldd "$program" 2>/dev/null || true; } | sed -n 's/.*\(=> \|^\t\)\(\/[^ ]*\) (.*/\2/p' | while read -r needed; do
    mkdir -p "$root$(dirname "$needed")"
    cp -Ln "$needed" "$root$needed"
  done
done
mkdir -p "$root/scratch"
[ "$(id -u)" != 0 ] || { mkdir -p "$root/dev" && mknod -m 666 "$root/dev/null" c 1 3; }
printf '#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() { a[0] = 1.0; }\n' >"$root/scratch/a.comp"
printf '#version 450\nvoid main() { gl_Position = vec4(0); }\n' >"$root/scratch/a.vert"
if [ "$(id -u)" = 0 ]; then
  enter /usr/bin/coopc --target-env=vulkan1.3 /scratch/a.comp -o /scratch/a.spv
  enter /usr/bin/coopc /scratch/a.vert -o /scratch/b.spv
  enter /usr/bin/coopval /scratch/a.spv /scratch/b.spv
  [[ $(enter /usr/bin/coopc --version) == *"$version"* ]] || fail "version"
  if [ -x "$build/bin/coopls" ]; then # a session: initialize, shutdown, exit
    session() { for body in "$@"; do printf 'Content-Length: %d\r\n\r\n%s' ${#body} "$body"; done; }
    said=$(session '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}' \
      '{"jsonrpc":"2.0","id":2,"method":"shutdown"}' '{"jsonrpc":"2.0","method":"exit"}' | enter /usr/bin/coopls)
    [[ $said == *'"version":"'"$version"'"'* ]] || fail "coopls: $said"
  fi
fi

# The layer: its manifest names the library that was installed, and it is off until a variable turns it on.
if [ -f "${layer[0]}" ]; then
  manifest=$root/usr/share/vulkan/implicit_layer.d/$name.json
  path=$(sed -n 's/.*"library_path": "\(.*\)".*/\1/p' "$manifest")
  [ -f "$(dirname "$manifest")/$path" ] || fail "$manifest: there is no $path"
  if [ -n "$driver" ] && [ -x "$build/bin/cooprun" ]; then
    sees() { # EXPECTED VARIABLE...: whether the driver's device has matrices
      local expected=$1 list
      shift
      list=$(env XDG_DATA_DIRS="$root/usr/share" XDG_DATA_HOME="$scratch" "$@" "$driver" "$build/bin/cooprun" --list --json)
      case $list in *'"cooperativeMatrix"'*) found=yes ;; *) found=no ;; esac
      [ "$found" = "$expected" ] || fail "cooperative matrices with ${*:-no variable}: $found, not $expected"
    }
    sees no UNRELATED=1
    sees yes COOPC_COOPERATIVE_MATRIX_LAYER=1
    sees no COOPC_COOPERATIVE_MATRIX_LAYER=1 DISABLE_COOPC_COOPERATIVE_MATRIX_LAYER=1
    echo "the installed layer was looked at through the driver"
  fi
fi

archive=("$scratch"/tar/coopc-"$version"-*.tar.gz)
[ -f "${archive[0]}" ] || fail "no archive: $(ls "$scratch/tar")"
mkdir "$scratch/unpacked"
tar -xzf "${archive[0]}" -C "$scratch/unpacked" --strip-components=1
prefix=$scratch/unpacked
[ -d "$prefix/usr" ] && prefix=$prefix/usr
spdx=$(find "$scratch/unpacked" -name coopc.spdx.json)
[ "$(wc -l <<<"$spdx")" = 1 ] && "$python" "$here/materials_test.py" "$spdx" "$scratch/unpacked" 100 coopc spirv-headers || fail "the archive's bill of materials: $spdx"
"$prefix/bin/coopc" "$root/scratch/a.vert" -o "$scratch/c.spv"
[ ! -x "$build/bin/coopls" ] || [[ $("$prefix/bin/coopls" --version) == *"$version"* ]] || fail "the archive's coopls"
# The same build packs to the same bytes.
mkdir "$scratch/again"
"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$scratch/again" >/dev/null
for package in "$scratch"/deb/*.deb; do
  cmp "$package" "$scratch/again/$(basename "$package")" || fail "packed twice, two files"
done
