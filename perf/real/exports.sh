#!/usr/bin/env bash
# Exports traces in every format and loads them with the readers of the tools that the formats are for.
#   perf/real/exports.sh [OUT] [JOURNAL ...]
# OUT: folder for the environment (250 MB, kept) and the files, a temporary one if left out. JOURNAL: a journal or trace of your
# own. Needs Python 3.11 to 3.13 as PYTHON (default: python3), and PyPI; what cannot be installed is named as skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
shift || true
mkdir -p "$out"
[ -x "$out/venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$out/venv"
# ai-dynamo asks for a simulator that PyPI has only as a placeholder; its replay needs none of it.
install() { "$out/venv/bin/pip" install -q "$@" 2>"$out/pip.log" || { echo "not installed: $* (why: $out/pip.log)"; }; }
install --no-deps ai-dynamo==1.6.1 ai-dynamo-runtime==1.6.1
install aiperf==0.13.0
install opentelemetry-proto
install --no-deps atif==1.8.0
install --no-deps agent-trajectory==0.4.3
exec "$out/venv/bin/python" "$here/check_exports.py" "$here/../../penstock" "$out/files" "$@"
