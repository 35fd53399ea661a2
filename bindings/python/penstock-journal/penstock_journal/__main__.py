"""Prints the records of a journal, a JSON object a line."""
import argparse
import base64
import json
import sys
import time

from . import JournalReader

PAUSE_S = 0.05


def printable(value):
    return base64.b64encode(value).decode("ascii")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="penstock-journal", description=__doc__)
    parser.add_argument("folder", help="the journal's folder, such as data/journal")
    parser.add_argument("--follow", action="store_true", help="go on when the end is reached")
    parser.add_argument("--end", action="store_true", help="leave out what is there already")
    options = parser.parse_args(arguments)
    try:
        reader = JournalReader(options.folder)
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return 2
    if options.end:
        reader.to_end()
    try:
        while True:
            for record in reader:
                print(json.dumps(record, ensure_ascii=False, default=printable), flush=options.follow)
            if not options.follow:
                return 0
            time.sleep(PAUSE_S)
    except (KeyboardInterrupt, BrokenPipeError):
        return 0


if __name__ == "__main__":
    sys.exit(main())
