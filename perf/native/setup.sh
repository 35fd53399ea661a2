#!/usr/bin/env bash
# Real NIXL and Mooncake libraries for the tests, in one folder; nothing outside it is changed and root is not needed.
# usage: setup.sh DIR [--build] [--offline]
#   DIR        created if absent: nixl/ store/ master/ (wheels, pinned by hash), debian/ (libraries that this system lacks,
#              unpacked), stub/ (stand-in for a CUDA driver where there is none) and native.env (KEY=VALUE lines)
#   --build    as the Maven build calls it: never fails; what cannot be had is a line NAME_ABSENT=cause in native.env, and a
#              failure is not tried again for an hour
#   --offline  downloads nothing
# Package indexes come from the settings of pip and apt. PYTHON=... chooses the interpreter that runs pip.
# The store wheel is a third party's rebuild of Mooncake with upstream's C ABI: for tests only, do not deploy it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
retry_minutes=60
longest=600 # seconds for everything, so that a slow network cannot hold up a build

dir= build= offline=
for argument in "$@"; do
  case $argument in
    --build) build=yes ;;
    --offline | --offline=true) offline=yes ;;
    --offline=false) ;;
    -*) sed -n '3,11p' "$0" >&2; exit 2 ;;
    *) dir=$argument ;;
  esac
done
[ -n "$dir" ] || { sed -n '3,11p' "$0" >&2; exit 2; }
limited() { # COMMAND...
  local left=$((longest - SECONDS))
  [ $left -gt 0 ] || return 124
  timeout -k 10 $left "$@"
}
say() { echo "native packages: $*" >&2; }

# --- pins. The wheels are the cp311 ones whatever Python runs here: only their libraries are used.
nixl_version=1.5.1 store_version=0.3.13.post20261027 master_version=0.3.14 cudart_version=13.5.37
nixl="nixl-cu12==$nixl_version --hash=sha256:341d0dfa499f941c054614252f1d8047d1380e33f29c87707372ff5ec7d3779a"
store="tokenspeed-mooncake==$store_version --hash=sha256:a603c0b80a96b14fee6d21a8bd1ef79ab94d0f34405cfe6c7fc251ed8a57f610
nvidia-cuda-runtime==$cudart_version --hash=sha256:df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d"
master="mooncake-transfer-engine-cuda13==$master_version --hash=sha256:1fc1d8597e5501d6967a3d2835878500460d7dd40999f6f987131126dcba5c8f"
# SONAME=Debian package
system=(libnl-3.so.200=libnl-3-200 libnl-route-3.so.200=libnl-route-3-200 libibverbs.so.1=libibverbs1
  libmlx5.so.1=ibverbs-providers libcurl.so.4=libcurl4 libnuma.so.1=libnuma1)
pins=$(printf '%s\n' "$nixl" "$store" "$master" "${system[@]}" | cat - "${BASH_SOURCE[0]}" | cksum | tr ' ' -)

env=$dir/native.env
if [ -e "$env" ] && [ ! -w "$dir" ]; then
  [ -n "$build" ] && exit 0 # somebody else's folder: used as it is
  say "not writable: $dir"
  exit 1
fi
export PATH="$PATH:/usr/sbin:/sbin" LC_ALL=C PYTHONDONTWRITEBYTECODE=1
mkdir -p "$dir" && dir=$(cd "$dir" && pwd) && env=$dir/native.env
if command -v flock >/dev/null; then
  exec 9>"$dir/.lock"
  flock -w $longest 9 || { say "another set-up of $dir does not end"; exit 0; }
fi

# What is there already is used: a whole set-up of these pins, or any made by hand (it has no mark of ours).
if [ -e "$env" ]; then
  made=$(sed -n 's/^PINS=//p' "$env")
  if [ -z "$made" ] || { [ "$made" = "$pins" ] && ! grep -q '_ABSENT=' "$env"; }; then exit 0; fi
  if [ "$made" = "$pins" ] && [ -n "$build" ] && [ -n "$(find "$env" -mmin -$retry_minutes)" ] && [ ! -e "$dir/.offline" ]; then
    say "still absent, tried again in an hour or after: rm $env"
    exit 0
  fi
fi

# --- parts: each sets a cause instead of ending the script
nixl_cause= store_cause= master_cause=
pip=()
find_pip() {
  local python wheel
  for python in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14}; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' >/dev/null 2>&1 || continue
    if "$python" -m pip --version >/dev/null 2>&1; then
      pip=("$python" -m pip)
      return
    fi
    # Debian's Python comes without pip; its packages of wheels have one that runs from the archive.
    for wheel in /usr/share/python-wheels/pip-*.whl "$dir"/debian/usr/share/python-wheels/pip-*.whl; do
      if [ -e "$wheel" ]; then
        pip=("$python" "$wheel/pip")
        return
      fi
    done
    pip=("$python")
  done
}

wheels() { # NAME REQUIREMENTS: prints why it could not be had
  local to=$dir/$1 new=$dir/.new.$1 log=$dir/.log.$1
  if [ -f "$to/.pinned" ] && [ "$(cat "$to/.pinned")" = "$2" ]; then return; fi
  if [ -n "$offline" ]; then echo "offline, and not installed before"; return; fi
  if [ ${#pip[@]} -eq 0 ]; then echo "no Python 3.8 or newer"; return; fi
  if [ ${#pip[@]} -eq 1 ]; then echo "${pip[0]} has no pip"; return; fi
  say "installing $1 (once) ..."
  rm -rf "$new" && mkdir "$new" && printf '%s\n' "$2" >"$dir/.need.$1"
  if limited "${pip[@]}" --no-input --disable-pip-version-check -q --retries 2 --timeout 20 install --no-deps --no-compile \
    --only-binary=:all: --require-hashes --implementation cp --python-version 3.11 --platform manylinux_2_28_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 --target "$new" -r "$dir/.need.$1" >"$log" 2>&1 </dev/null 9>&-; then
    rm -rf "$to"
    printf '%s\n' "$2" >"$new/.pinned" && mv "$new" "$to" && rm -f "$log" "$dir/.need.$1"
  else
    rm -rf "$new"
    echo "pip could not install ${2%% *}: $(grep -iE 'error|refused|failed' "$log" | tail -1 | cut -c1-160)"
  fi
}

# Path of a library of this system, or of one unpacked below debian/.
library() {
  local path
  path=$(ldconfig -p 2>/dev/null | awk -v name="$1" '$1 == name && /x86-64/ { print $NF; exit }')
  [ -n "$path" ] || path=$(find "$dir/debian" -name "$1" -print -quit 2>/dev/null) || true
  echo "$path"
}

unpack() { # PACKAGE...: with what they need and this system lacks, into debian/
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { say "no Debian packages on this system: $*"; return; }
  [ -z "$offline" ] || return 0
  say "unpacking $* ..."
  mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/debian"
  local apt=(apt-get -q -o "Dir::State::lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt/cache" -o Debug::NoLocking=1 -o Acquire::Retries=2
    -o Acquire::http::Timeout=20 -o APT::Sandbox::User=) names
  {
    limited "${apt[@]}" update &&
      # A system whose packages are at odds with each other gets those that were named, and no more.
      names=$("${apt[@]}" --print-uris -y --no-install-recommends install "$@" | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p" || echo "$@") &&
      (cd "$dir/apt" && limited "${apt[@]}" download $names && for deb in *.deb; do dpkg-deb -x "$deb" "$dir/debian"; done)
  } >"$dir/.log.debian" 2>&1 </dev/null 9>&- || say "could not be had: $* (see $dir/.log.debian)"
  rm -rf "$dir/apt"
}

stand_in() { # prints why there is none
  [ -z "$(ldconfig -p 2>/dev/null | grep -F 'libcuda.so.1 ')" ] || return 0
  [ ! -e "$dir/stub/libcuda.so.1" ] || return 0
  local compiler
  compiler=$(command -v cc gcc clang 2>/dev/null | head -1) || true
  if [ -z "$compiler" ]; then echo "no CUDA driver, and no C compiler for a stand-in"; return; fi
  mkdir -p "$dir/stub"
  "$compiler" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$dir/stub/.new" "$here/libcuda_stub.c" 2>"$dir/.log.stub" &&
    mv "$dir/stub/.new" "$dir/stub/libcuda.so.1" || echo "the stand-in for a CUDA driver does not compile, see $dir/.log.stub"
}

unresolved() { # FILE: libraries that it needs and that are nowhere
  LD_LIBRARY_PATH=$search ldd "$1" 2>&1 | awk '/not found/ { print $1 }' | sort -u | paste -sd ' '
}

missing() { # FILE: as a cause
  local names
  [ -f "$1" ] || { echo "the package has no ${1##*/}"; return; }
  names=$(unresolved "$1")
  [ -z "$names" ] || echo "libraries missing on this system: $names"
}

if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
  nixl_cause="packages are pinned for Linux on x86-64 only, not $(uname -s) on $(uname -m)"
  store_cause=$nixl_cause master_cause=$nixl_cause
else
  find_pip
  need=()
  for pair in "${system[@]}"; do [ -n "$(library "${pair%%=*}")" ] || need+=("${pair#*=}"); done
  [ ${#pip[@]} -ne 1 ] || need+=(python3-pip-whl)
  if [ ${#need[@]} -gt 0 ]; then
    unpack "${need[@]}"
    find_pip
  fi
  nixl_cause=$(wheels nixl "$nixl") store_cause=$(wheels store "$store") master_cause=$(wheels master "$master")
  [ -n "$store_cause" ] || store_cause=$(stand_in)
fi

nixl_file=$(find "$dir"/nixl/.nixl_cu12.mesonpy.libs -name libnixl_capi.so -print -quit 2>/dev/null) || true
store_file=$dir/store/mooncake/libmooncake_store.so master_file=$dir/master/mooncake/mooncake_master
unpacked=$(find "$dir/debian" -name 'lib*.so.*' -printf '%h\n' 2>/dev/null | sort -u | paste -sd :) || true
search=$dir/stub:$dir/master/mooncake_transfer_engine_cuda13.libs${unpacked:+:$unpacked}
[ -n "$nixl_cause" ] || nixl_cause=$(missing "$nixl_file")
[ -n "$store_cause" ] || store_cause=$(missing "$store_file")
[ -n "$master_cause" ] || master_cause=$(missing "$master_file")
[ -n "$master_cause" ] || chmod +x "$master_file"

# NIXL's UCX takes libefa from Debian's ibverbs-providers and with it Debian's libnl: unless that was opened first, a process
# that made a UCX backend dies of SIGSEGV at its exit.
# Unpacked libraries that FILE needs, in no order: each is opened as soon as those that it needs itself are.
unpacked_for() { # FILE
  LD_LIBRARY_PATH=$search ldd "$1" 2>/dev/null | awk -v below="$dir/debian/" 'index($3, below) == 1 { print $3 }' | paste -sd :
}
paths() { # SONAME...: where they are, as in PATH
  local name
  for name in "$@"; do library "$name"; done | sed '/^$/d' | paste -sd :
}
nl=(libnl-3.so.200 libnl-route-3.so.200)
cuda=$(ldconfig -p 2>/dev/null | awk '$1 == "libcuda.so.1" && /x86-64/ { print $NF; exit }') || true
verdict() { # NAME CAUSE LINE...
  if [ -n "$2" ]; then
    echo "$1_ABSENT=$2"
    say "$1 absent, its tests are skipped: $2"
  else
    printf '%s\n' "${@:3}"
  fi
}
{
  echo "PINS=$pins"
  verdict NIXL_CAPI "$nixl_cause" "NIXL_CAPI=$nixl_file" "NIXL_PRELOAD=$(paths "${nl[@]}")" "NIXL_VERSION=$nixl_version"
  verdict MOONCAKE_STORE "$store_cause" "MOONCAKE_STORE=$store_file" \
    "MOONCAKE_PRELOAD=$(echo "$(paths "${nl[@]}" libibverbs.so.1 libmlx5.so.1):$(unpacked_for "$store_file"):${cuda:-$dir/stub/libcuda.so.1}" | tr -s :)" \
    "MOONCAKE_STORE_VERSION=$store_version"
  verdict MOONCAKE_MASTER "$master_cause" "MOONCAKE_MASTER=$master_file" \
    "MASTER_LD_LIBRARY_PATH=$dir/master/mooncake_transfer_engine_cuda13.libs${unpacked:+:$unpacked}" \
    "MOONCAKE_MASTER_VERSION=$master_version"
} >"$env.new"
mv "$env.new" "$env"
rm -f "$dir/.offline"
[ -z "$offline" ] || touch "$dir/.offline" # an online build tries at once

if grep -q '_ABSENT=' "$env"; then
  [ -n "$build" ] && exit 0
  exit 1
fi
say "ready: $env"
