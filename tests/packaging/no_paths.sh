#!/usr/bin/env bash
# no_paths.sh PREFIX FOLDER...: nothing that is installed names the folders that it was made in or of, so that a build elsewhere gives
# the same bytes, and nothing is looked for where it was built.
set -euo pipefail
prefix=$1
shift
count=$(find "$prefix" -type f | wc -l)
[ "$count" -gt 100 ] || { echo "$prefix has $count files"; exit 1; }
found=0
for folder; do
  [ -n "$folder" ] && [ "$folder" != / ] || { echo "'$folder' is not a folder to look for"; exit 1; }
  if grep -rlF -- "$folder" "$prefix"; then echo "... name $folder"; found=1; fi
done
echo "$count files"
exit $found
