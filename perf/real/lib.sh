# Shared by the scripts beside it: the router on a file of its own, and an end that leaves nothing running.
router=http://127.0.0.1:18080
pids=()
track() { pids+=("$1"); }
finish() {
  local code=$?
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  echo "files: $out" >&2
  exit $code
}
trap finish EXIT
mkdir -p "$out"
"$here/../../penstock" version >&2 # builds where needed, so that no start below waits for it

wait_for() { # URL SECONDS
  for ((i = 0; i < $2 * 5; i++)); do
    [ "$(curl -s -o /dev/null -w '%{http_code}' "$1")" = 200 ] && return
    sleep 0.2
  done
  echo "no answer from $1 in $2 s; logs in $out" >&2
  return 1
}

router_config() { # ENGINE MODELDIR URL...
  local engine=$1 model=$2
  shift 2
  {
    printf 'http:\n  port: 18080\n  adminPort: 18081\n  host: 127.0.0.1\n'
    printf 'tokens:\n  models:\n    tiny:\n      tokenizerFolder: "%s"\n      engineEndpoint: true\n' "$model"
    printf 'dataDir: "%s/data"\nworkers:\n' "$out"
    for url in "$@"; do printf '  - {name: "%s", url: "%s", engine: %s}\n' "${url##*/}" "$url" "$engine"; done
  } >"$out/router.yaml"
}

start_router() {
  "$here/../../penstock" route -c "$out/router.yaml" >>"$out/router.log" 2>&1 & router_pid=$!
  track $router_pid
  wait_for $router/ready 30
  # Proof and replay of both engines, and the rendering check.
  sleep 2
  curl -s $router/health
  echo
}

kill_router() {
  kill -9 $router_pid
  wait $router_pid 2>/dev/null || true
}
