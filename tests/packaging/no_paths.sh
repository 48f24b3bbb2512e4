#!/usr/bin/env bash
# no_paths.sh PREFIX FOLDER...: checks that no installed file contains the name of a source or build folder.
# Then a build elsewhere gives the same bytes, and no installed program looks for files in the build folder.
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
