#!/usr/bin/env bash
# Holds Penstock's predicted cached tokens against those of two real SGLang servers on CPU, one of them with its host tier
# (HiCache); then kills the router with SIGKILL, starts it again on the same file and repeats.
#   perf/real/sglang.sh PYTHON MODELDIR RECIPES [OUT]      (arguments as in vllm.sh; RECIPES holds sglang/start-sglang.sh)
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
python=$1 model=$2 recipes=$3 out=${4:-$(mktemp -d)}
. "$here/lib.sh"

"$recipes/sglang/start-sglang.sh" "$python" "$model" 18400 18401 18402 16 "$out/sglang-18400.log" & track $!
HICACHE=1 "$recipes/sglang/start-sglang.sh" "$python" "$model" 18500 18501 18502 16 "$out/sglang-18500.log" \
  --enable-hierarchical-cache --hicache-ratio 2 --hicache-write-policy write_through \
  --hicache-io-backend direct --hicache-mem-layout layer_first & track $!
wait_for http://127.0.0.1:18400/health 240
wait_for http://127.0.0.1:18500/health 240
router_config sglang "$model" http://127.0.0.1:18400 http://127.0.0.1:18500
start_router
"$python" "$here/check_cached.py" "$router" tiny --requests 60 --pause 0.6
kill_router
start_router
"$python" "$here/check_cached.py" "$router" tiny --requests 40 --pause 0.6 --seed 9
