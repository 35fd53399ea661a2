#!/usr/bin/env bash
# Drives real agents and SDKs through Penstock to a scripted engine and says what works: root, tool turn, subagent, nested,
# resume, compaction, 529 with Retry-After, a stream cut in the middle. Opt-in: it installs about 1.5 GB from npm and PyPI.
#   perf/agents/run.sh [NAME ...]      NAME: claude-code codex opencode pi openai anthropic, or one as the summary lists it
# What is installed stays in PENSTOCK_AGENTS (a folder below TMPDIR unless told); each run's logs and summary.json go to a
# folder of its own below it. What cannot be installed is reported as skipped. Exit 1 when a case failed.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
tools=${PENSTOCK_AGENTS:-${TMPDIR:-/tmp}/penstock-agents}/npm
out=$(dirname "$tools")/run-$(date +%Y%m%d-%H%M%S)
mkdir -p "$tools" "$out"

wanted() { # NAME PREFIX...: whether one of the arguments begins with it, or none was given
  [ -z "$names" ] && return
  local name
  for name in $names; do
    case $name in "$1" | "$1"-*) return ;; esac
  done
  return 1
}
names=$*

npm_install() { # FOLDER PACKAGE@VERSION...
  local folder=$tools/$1
  shift
  [ "$(cat "$folder/installed" 2>/dev/null)" = "$*" ] && return
  echo "installing $* ..." >&2
  if npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "$@" >"$out/install.log" 2>&1; then
    echo "$*" >"$folder/installed"
  else
    echo "not installed: $* (log: $out/install.log)" >&2
    tail -3 "$out/install.log" >&2
  fi
}

python_install() { # PACKAGE==VERSION...
  local folder=$tools/python
  [ "$(cat "$folder/installed" 2>/dev/null)" = "$*" ] && return
  echo "installing $* ..." >&2
  if python3 -m venv "$folder" && "$folder/bin/pip" install -q "$@" >"$out/install.log" 2>&1; then
    echo "$*" >"$folder/installed"
  else
    echo "not installed: $* (log: $out/install.log)" >&2
    tail -3 "$out/install.log" >&2
  fi
}

if wanted claude-code; then npm_install claude @anthropic-ai/claude-code@2.1.332; fi
if wanted codex; then npm_install codex @openai/codex@0.171.0; fi
if wanted opencode; then npm_install opencode opencode-ai@1.18.33; fi
if wanted pi; then npm_install pi @earendil-works/pi-coding-agent@1.6.0; fi
if wanted openai || wanted anthropic; then
  npm_install sdk openai@7.59.0 @anthropic-ai/sdk@1.14.0
  python_install openai==3.57.0 anthropic==2.14.0
fi
# Pi and the JavaScript SDKs want a Node newer than most systems have.
if wanted pi || wanted openai || wanted anthropic; then npm_install node node@24; fi

"$here/../../penstock" version >&2 # builds where needed, so that the start below does not wait for it
exec python3 "$here/suite.py" "$tools" "$out" "$@"
