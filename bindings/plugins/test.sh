#!/usr/bin/env bash
# Tests of the plugins: unit tests, and each plugin in its real host against a scripted engine.
#   bindings/plugins/test.sh [pi] [hermes] [openclaw] [examples] [router]     default: all
# Hosts are installed by npm and pip, once, into PENSTOCK_PLUGIN_HOSTS (default: a folder of its own under TMPDIR); nothing is
# written here. PENSTOCK_PLUGIN_INSTALL=off uses what is there. What cannot run is named with the reason and counted as skipped.
set -uo pipefail
plugins=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PENSTOCK_PLUGIN_HOSTS=${PENSTOCK_PLUGIN_HOSTS:-${TMPDIR:-/tmp}/penstock-plugin-hosts}
hosts=$PENSTOCK_PLUGIN_HOSTS
node=node@24
pi_packages=(@earendil-works/pi-coding-agent@1.6.0 zeromq@^6.8.0 @msgpack/msgpack@^3.1.3 typescript @types/node@24)
openclaw=openclaw@2026.9.6
hermes_packages=(hermes-agent==0.19.0 pyzmq msgpack)
passed=0 failed=0 skipped=0
mkdir -p "$hosts"

wanted() { [ ${#only[@]} = 0 ] || [[ " ${only[*]} " = *" $1 "* ]]; }
only=("$@")
for name in ${only[@]+"${only[@]}"}; do
  case $name in pi | hermes | openclaw | examples | router) ;; *)
    echo "unknown plugin, known are pi, hermes, openclaw, examples, router: name=$name" >&2
    exit 2
    ;;
  esac
done

skip() {
  echo "SKIPPED $1: $2"
  skipped=$((skipped + 1))
}

# The reasons that are not empty, in one line.
reasons() {
  local reason line=
  for reason in "$@"; do
    [ -n "$reason" ] && line=${line:+$line; }$reason
  done
  echo "$line"
}

check() {
  local name=$1 log=$hosts/last.log
  shift
  if "$@" >"$log" 2>&1; then
    echo "passed  $name"
    passed=$((passed + 1))
  else
    echo "FAILED  $name"
    tail -n 60 "$log" | sed 's/^/    /'
    failed=$((failed + 1))
  fi
}

# Installs once: $1 folder, then the command that fills it. The reason for a failure is the answer on standard output.
installed() {
  local folder=$hosts/$1
  shift
  [ -e "$folder/complete" ] && return 0
  if [ "${PENSTOCK_PLUGIN_INSTALL:-on}" = off ]; then
    echo "not installed in $folder"
    return 1
  fi
  mkdir -p "$folder"
  echo "installing into $folder ..." >&2
  if ! (cd "$folder" && "$@") >"$folder/install.log" 2>&1; then
    echo "installation failed, see $folder/install.log: $(tail -n 1 "$folder/install.log")"
    return 1
  fi
  touch "$folder/complete"
}

packages() {
  command -v npm >/dev/null || { echo "npm is missing"; return 1; }
  [ -e package.json ] || echo '{"private": true}' >package.json
  PATH=$hosts/node/node_modules/.bin:$PATH npm install --no-audit --no-fund --no-package-lock "$@"
}

venv() {
  local candidate
  for candidate in python3.13 python3.12 python3.11 python3; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      "$candidate" -m venv venv && venv/bin/pip install -q "$@"
      return
    fi
  done
  echo "Python 3.11 or newer is missing"
  return 1
}

python() { "$hosts/python/venv/bin/python" "$@"; }
smoke() { (cd "$plugins/smoke" && python -m unittest -v "$1"); }
units() { (cd "$plugins/$1" && PATH=$hosts/node/node_modules/.bin:$PATH node --test "test/*.test.*"); }

# The compiler looks for packages beside the sources, which stay as they are.
types() {
  local copy=$hosts/types
  rm -rf "$copy" && mkdir -p "$copy" && cp -r "$plugins/pi/src" "$plugins/pi/tsconfig.json" "$plugins/pi/package.json" "$copy" &&
    ln -s "$hosts/pi/node_modules" "$copy/node_modules" &&
    PATH=$hosts/node/node_modules/.bin:$PATH node "$hosts/pi/node_modules/typescript/bin/tsc" -p "$copy"
}

hermes_units() {
  (cd "$plugins" && python -m unittest discover -v -t . -s hermes/tests)
}

python_why=$(installed python venv pyzmq msgpack) && has_python=1 || has_python=0
node_why=$(installed node packages "$node") && has_node=1 || has_node=0
modules_why=$(installed modules packages zeromq@^6.8.0 @msgpack/msgpack@^3.1.3) && has_modules=1 || has_modules=0
ready=$(reasons "$python_why" "$node_why" "$modules_why")
has_all=$((has_python & has_node & has_modules))

if wanted pi; then
  if [ $has_node = 1 ]; then check "pi unit" units pi; else skip "pi unit" "$node_why"; fi
  if ! why=$(installed pi packages "${pi_packages[@]}") || [ $has_all = 0 ]; then
    skip "pi types" "$(reasons "$why" "$ready")"
    skip "pi in Pi" "$(reasons "$why" "$ready")"
  else
    check "pi types" types
    check "pi in Pi" smoke test_pi
  fi
fi
if wanted hermes; then
  if [ $has_python = 1 ]; then check "hermes unit" hermes_units; else skip "hermes unit" "$python_why"; fi
  if ! why=$(installed hermes venv "${hermes_packages[@]}") || [ $has_python = 0 ]; then
    skip "hermes in Hermes" "$(reasons "$why" "$python_why")"
  else
    check "hermes in Hermes" smoke test_hermes
  fi
fi
if wanted openclaw; then
  if [ $has_node = 1 ]; then check "openclaw unit" units openclaw; else skip "openclaw unit" "$node_why"; fi
  if ! why=$(installed openclaw packages "$openclaw") || [ $has_all = 0 ]; then
    skip "openclaw in OpenClaw" "$(reasons "$why" "$ready")"
  else
    check "openclaw in OpenClaw" smoke test_openclaw
  fi
fi
if wanted examples; then
  if [ $has_all = 1 ]; then check examples smoke test_examples; else skip examples "$ready"; fi
fi
if wanted router; then
  why=$(reasons "$(installed pi packages "${pi_packages[@]}")" "$(installed hermes venv "${hermes_packages[@]}")" "$ready")
  if [ -n "$why" ]; then
    skip "all behind a router" "$why"
  elif ! "$plugins/../../penstock" version >"$hosts/penstock.log" 2>&1; then
    skip "all behind a router" "Penstock cannot be started, see $hosts/penstock.log: $(tail -n 1 "$hosts/penstock.log")"
  else
    check "all behind a router" smoke test_router
  fi
fi
echo "plugins: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
