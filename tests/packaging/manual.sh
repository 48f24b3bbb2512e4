#!/usr/bin/env bash
# manual.sh MANUAL PROGRAMS: checks that the manual pages list each option that --help prints and format
# without a warning, and that bash's completions offer options and their values. If fish and zsh are
# installed, they check their own completions.
set -euo pipefail
manual=$1 programs=$2
count=0
for program in coopc coopval cooplower cooprun cooplayout coopls; do
  [ -x "$programs/$program" ] || continue
  page=$manual/man/$program.1
  if command -v groff >/dev/null; then
    said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$said" ] || { echo "$page: $said"; exit 1; }
  fi
  text=$(sed 's/\\f[BIR]//g; s/\\-/-/g' "$page")
  # The first word of each line of --help that starts with a dash.
  while read -r option; do
    [[ $text == *"$option"* ]] || { echo "$page: no $option"; exit 1; }
    count=$((count + 1))
  done < <("$programs/$program" --help | sed -n 's/^ *\(-[-A-Za-z0-9_]*\).*/\1/p')
  bash -n "$manual/bash/$program"
done
[ "$count" -ge 100 ] || { echo "only $count options were looked at"; exit 1; }

compopt() { :; }
complete() { :; }
offers() { # WORD, then the words of the command line
  local wanted=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  "_$1" || true
  [[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || { echo "$*: ${COMPREPLY[*]} has no $wanted"; exit 1; }
}
for program in coopc coopval cooprun; do source "$manual/bash/$program"; done
offers --target-env= coopc --tar
offers vulkan1.3 coopc --target-env = vulkan1
offers spv1.6 coopc --target-spv =
offers sarif coopval --format sa
offers suite cooprun su
if command -v fish >/dev/null; then for f in "$manual"/fish/*; do fish --no-execute "$f"; done; fi
if command -v zsh >/dev/null; then for f in "$manual"/zsh/*; do zsh -n "$f"; done; fi
echo "$count options"
