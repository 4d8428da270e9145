# Shared by the scripts in this folder; source it, do not run it.
# shellcheck shell=bash
set -euo pipefail

regshare_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
llvm_version=22
# For run-clang-tidy, which takes regular expressions for paths.
own_sources="^$(printf '%s' "$regshare_root" | sed 's/[][\\.*^$+?(){}|]/\\&/g')/(lib|sim|tools|runtime|unittests|benchmarks)/"
export regshare_root llvm_version own_sources

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# step HEADING COMMAND...: runs the command under a heading and prints how long
# it took. Returns the command's status.
step() {
  local heading=$1 started=$SECONDS status=0
  shift
  printf '\n==> %s\n' "$heading"
  "$@" || status=$?
  local verdict="done"
  [[ $status -eq 0 ]] || verdict=FAILED
  printf '    %s: %s, %d s\n' "$heading" "$verdict" $((SECONDS - started))
  return "$status"
}

# The user-visible help of a script is the comment block under its first line.
print_help() {
  awk 'NR == 1 || /^# shellcheck / { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"
}
