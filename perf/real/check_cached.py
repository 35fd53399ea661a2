#!/usr/bin/env python3
"""Sends chats with shared prefixes through Penstock, one after the other, and holds the router's predicted cached
tokens against the cached tokens that the engine reports, for every request.

usage: check_cached.py ROUTER_URL ADMIN_URL MODEL [--salts] [--requests N] [--pause SECONDS] [--words N]

Standard library only. Exit 0 when every request agrees, 1 otherwise. The last line is one JSON object.
"""
import argparse
import json
import random
import sys
import time
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("router")
parser.add_argument("admin")
parser.add_argument("model")
parser.add_argument("--salts", action="store_true", help="send a cache_salt with some requests")
parser.add_argument("--requests", type=int, default=60)
parser.add_argument("--pause", type=float, default=0.5, help="seconds between requests, for the events to arrive")
parser.add_argument("--words", type=int, default=60, help="words of the shared system prompt")
parser.add_argument("--seed", type=int, default=7)
args = parser.parse_args()
rng = random.Random(args.seed)

WORDS = "You are a helpful assistant who answers questions about weather cities tools and functions in Paris".split()


def words(n):
    return " ".join(rng.choice(WORDS) for _ in range(n))


def post(path, body):
    request = urllib.request.Request(
        args.router + path,
        json.dumps(body).encode(),
        {"content-type": "application/json", "x-penstock-explain": "1"},
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        return response.headers, response.read()


def usage_of(raw, stream):
    if not stream:
        return json.loads(raw)["usage"]
    for line in raw.decode().splitlines():
        if line.startswith("data: {"):
            usage = json.loads(line[6:]).get("usage")
            if usage:
                found = usage
    return found


systems = [words(args.words), words(args.words + 17)]
chats = [[{"role": "system", "content": rng.choice(systems)}] for _ in range(6)]
rows = []
for number in range(args.requests):
    stream = number % 3 == 1
    kind = number % 5
    salt = "tenant-%d" % (number % 2) if args.salts and number % 4 == 3 else None
    if kind == 4:
        body = {"model": args.model, "prompt": [5 + (i * 7 + number // 10) % 300 for i in range(150 + number)]}
        path = "/v1/completions"
    else:
        chat = rng.choice(chats)
        if len(json.dumps(chat)) > 2200:
            del chat[1:]
        chat.append({"role": "user", "content": words(rng.randint(3, 25))})
        body = {"model": args.model, "messages": chat}
        path = "/v1/chat/completions"
    body.update({"max_tokens": rng.randint(1, 24), "temperature": 0, "stream": stream})
    if stream:
        body["stream_options"] = {"include_usage": True}
    if salt:
        body["cache_salt"] = salt
    headers, raw = post(path, body)
    usage = usage_of(raw, stream)
    if kind != 4:
        chat.append({"role": "assistant", "content": words(rng.randint(2, 9))})
    actual = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    predicted = int(headers["x-penstock-predicted-cached-tokens"])
    row = (headers["x-penstock-worker"], usage["prompt_tokens"], predicted, actual)
    rows.append(row)
    flag = "" if predicted == actual else "   <-- differs"
    print("%3d %-24s %-22s prompt %4d predicted %4d engine %4d%s" % ((number, path) + row + (flag,)), flush=True)
    time.sleep(args.pause)

wrong = [row for row in rows if row[2] != row[3]]
result = {
    "requests": len(rows),
    "differ": len(wrong),
    "withHits": sum(1 for row in rows if row[3] > 0),
    "promptTokens": sum(row[1] for row in rows),
    "cachedTokens": sum(row[3] for row in rows),
    "workers": sorted({row[0] for row in rows}),
}
print(json.dumps(result))
sys.exit(1 if wrong or not result["withHits"] else 0)
