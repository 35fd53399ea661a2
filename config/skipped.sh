#!/bin/sh
# What the build says of tests that were skipped: each by name, with its cause. usage: skipped.sh SUREFIRE-REPORTS
[ -d "$1" ] || exit 0
find "$1" -name 'TEST-*.xml' -exec cat {} + | awk '
  /<testcase / {
    test = $0; sub(/.* classname="/, "", test); sub(/".*/, "", test)
    name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name)
  }
  /<skipped/ {
    cause = $0
    if (!sub(/.*(Assumption failed|TestAbortedException): */, "", cause) && !sub(/.* message="/, "", cause)) cause = "no cause given"
    sub(/(\]\]>|"[^"]*\/>|" type=).*/, "", cause)
    gsub(/&quot;/, "\"", cause); gsub(/&lt;/, "<", cause); gsub(/&gt;/, ">", cause); gsub(/&amp;/, "\\&", cause)
    sub(/.*\./, "", test)
    print "skipped: " test "." name ": " cause
  }' | sort
