# Sourced by the scripts beside it.

# Where .ci/unpack-packages puts programs; make has its bin on the PATH too.
packages=${SYSTEM_PACKAGES:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/sininho/packages}
PATH=$PATH:$packages/bin

say() { printf '==> %s\n' "$*"; }

# die MESSAGE [WHAT TO DO]...
die() {
  printf 'error: %s\n' "$1" >&2
  shift
  [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# in_modules COMMAND...: runs a command in the folder of the top-level Go module and in that of the library's.
in_modules() {
  local folder failures=0
  for folder in . pkg; do (cd "$folder" && "$@") || failures=1; done
  return $failures
}

checksum() { if has sha256sum; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# The packages of `make test-lab`: they measure, break things or start programs of others, which takes minutes.
laboratory='examples/monitoring server/lab/faults server/lab/neighbours server/lab/simulation'
