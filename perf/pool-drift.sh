#!/usr/bin/env bash
# How far a shared pool's picture drifts when the master's events are lost or never published, how soon it is true again, and
# what that costs the master: a real mooncake_master and our own C bindings; some two minutes.
# usage: pool-drift.sh [--json] [options of mvn]
#   --json  prints one object, nothing else
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
json=
if [ "${1:-}" = --json ]; then json=yes; shift; fi
out=$(mvn -q -B -Dgates=off -Dspotless.check.skip=true -pl dataplane -am test -Dtest=PoolDriftExperiment \
  -Dtest.excluded=live -Dtest.included=long -Dsurefire.failIfNoSpecifiedTests=false "$@" 2>&1) \
  || { echo "$out" | tail -40 >&2; exit 1; }
if [ -n "$json" ]; then grep '^{' <<<"$out" | tail -1; else grep -E '^(\{|events|master|evicted|memory|leases)' <<<"$out"; fi
