#!/usr/bin/python3
"""Which messages no test triggers.

    untriggered.py SOURCE HEARD… [--folder experiments/files]… [--list]     from files that --keep wrote
    untriggered.py SOURCE --run 'build/tests/…/x_test --gtest_filter=…'… …  runs tests with heard.cc preloaded first
    untriggered.py SOURCE --all build --list                                runs all that have messages, a program per core

A message is a call in SOURCE that complains or refuses (FailAt, b.Fail, BadInput, FileError, StorageError, PrintToStderr)
with text of its own. It is triggered when what was thrown or printed holds its text: the longest piece between the values
that it fills in; where two branches of a condition give different texts, each is a message. One text at two places counts
as triggered at both. What no test can trigger stands in unreached.txt, with the reason; an entry that is no message any more,
or that a test triggers, has to go, but for those that only the campaign of failing calls triggers, which some runs leave out.
Build nothing meanwhile: the tests of the command line need the program.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

CALL = re.compile(r"\b(?:Fail(?:At|InFile|InMesh|AtMissing|AsContrary|Unknown|AtRule|AtWord)?|BadInput|FileError|StorageError|PrintToStderr)\s*[({]")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CAMPAIGN = "only by the campaign"  # how the reason of what it alone triggers begins
SHORTEST = 6  # letters of a piece that tells a message from others


def code_of(text):
    """Without comments; strings stay, and so do positions of lines."""
    def kept(match):
        return match.group(0) if match.group(0)[0] in "\"'" else re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', kept, text, flags=re.S)


def arguments(code, begin):
    """The text of a call from its bracket to the one that closes it."""
    depth, at = 0, begin
    while at < len(code):
        if code[at] == '"' or (code[at] == "'" and not code[at - 1].isalnum()):
            quote = code[at]
            at += 1
            while code[at] != quote:
                at += 2 if code[at] == "\\" else 1
        elif code[at] in "({[":
            depth += 1
        elif code[at] in ")}]":
            depth -= 1
            if depth == 0:
                return code[begin + 1:at]
        at += 1
    return ""


def texts(call):
    """The literals of a call: adjacent ones joined, cut where a value is filled in. Of "a ? b : c" both."""
    joined = re.sub(r'"\s+"', "", call)
    for literal in LITERAL.findall(joined):
        plain = literal.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        for piece in re.split(r"\{[^{}]*\}|\n", plain):
            yield piece


def branches(call):
    """A call, or where its text depends on a condition each of the literals that it chooses from."""
    chosen = re.findall(r'\?\s*(?:std::string\()?"((?:[^"\\]|\\.)*)"[^?:"]*:\s*(?:std::string\()?"((?:[^"\\]|\\.)*)"', call)
    return [text for pair in chosen for text in pair if letters(text) >= SHORTEST]


def letters(text):
    return sum(character.isalpha() for character in text)


def messages(source, folders):
    for folder in folders:
        for path in sorted([*(source / folder).rglob("*.cc"), *(source / folder).rglob("*.h")]):
            code = code_of(path.read_text())
            for call in CALL.finditer(code):
                inside = arguments(code, call.end() - 1)
                if call.group(0).startswith("BadInput") or code[:call.start()].endswith("b."):
                    inside = re.sub(r'^[\s{]*"[^"]*"\s*,', "", inside)  # the key, which is no part of the text
                pieces = [piece for piece in texts(inside) if letters(piece) >= SHORTEST]
                if not pieces:
                    continue
                place = f"{path.relative_to(source)}:{code.count(chr(10), 0, call.start()) + 1}"
                found = [max(texts('"' + one + '"'), key=letters) for one in branches(inside)]
                # What is wrong stands before how to mend it: the first of the long pieces names the message.
                longest = max(map(letters, pieces))
                first = next(piece for piece in pieces if letters(piece) >= min(longest, 12))
                for piece in dict.fromkeys([*found, first]):
                    yield place, piece


def unreached(path):
    """The messages that no test can trigger: of each its file and its text, and why."""
    entries = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            file, piece, why = line.split(" | ")
            entries[file, piece] = why
    return entries


END = b"\0the last test has ended\n"


def listen(reader, heard):
    while not (heard and heard[-1].endswith(END)):
        heard.append(os.read(reader, 1 << 16))


def hear(source, commands):
    """Runs tests with heard.cc preloaded, as many at a time as there are cores; returns what they threw and printed."""
    with tempfile.TemporaryDirectory() as folder:
        library, pipe = os.path.join(folder, "heard.so"), os.path.join(folder, "heard")
        os.mkfifo(pipe)
        reader, heard = os.open(pipe, os.O_RDWR), []
        listener = threading.Thread(target=listen, args=(reader, heard))
        listener.start()
        subprocess.run(["c++", "-shared", "-fPIC", "-O1", "-o", library, source / "tests/messages/heard.cc", "-ldl"],
                       check=True)
        def run(command):
            begin = time.monotonic()
            done = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "LD_PRELOAD": library, "PLIANT_HEARD": pipe})
            print(f"ran {command}: exit status {done.returncode}, {time.monotonic() - begin:.0f} s", flush=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as cores:
            list(cores.map(run, commands))
        os.write(reader, END)
        listener.join()
        return b"".join(heard).decode(errors="replace")


# Of programs that take long, the tests that are about messages.
ABOUT_MESSAGES = {"experiment_reader_test": "-BrokenFiles*:ShippedFiles*", "refinement_test": "*Claim*:Ladder*:*Refine*:Units*"}


def all_tests(build):
    """The commands of all tests that trigger messages of the readers and of the command line, the longest first."""
    programs = [path for folder in ("experiments", "app/cli", "messages", "fuzz") for path in sorted((build / "tests" / folder).rglob("*_test"))]
    programs = [path for path in programs if path.is_file() and os.access(path, os.X_OK) and path.parent.name != "claims"]
    commands = [f"{path} --gtest_filter='{ABOUT_MESSAGES.get(path.name, '*')}'" for path in programs]
    commands.sort(key=lambda command: "cli_test" not in command)
    campaign = f"/usr/bin/python3 tests/campaigns/campaign.py {build}/app/cli/pliant {build}/tests/campaigns/libfail_at.so"
    folder = tempfile.mkdtemp()
    return [*commands, f"{campaign} {folder} calls --only overwrite --only optimize"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("heard", nargs="*", type=pathlib.Path)
    parser.add_argument("--run", action="append", default=[])
    parser.add_argument("--all", type=pathlib.Path, help="the build folder whose tests are run")
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--list", action="store_true", help="print each message that nothing triggers")
    parser.add_argument("--allow", type=int, help="fail when more than so many are left")
    parser.add_argument("--keep", type=pathlib.Path, help="write what was heard to this file")
    options = parser.parse_args()
    if options.all:
        options.run += all_tests(options.all)
    found = {folder: list(messages(options.source, [folder])) for folder in options.folder or ["app/cli", "experiments"]}
    text = "".join(path.read_text(errors="replace") for path in options.heard) + hear(options.source, options.run)
    if options.keep:
        options.keep.write_text(text)
    left, excused, known = 0, unreached(pathlib.Path(__file__).with_name("unreached.txt")), set()
    for folder, all_of in found.items():
        missing = [(place, piece) for place, piece in all_of if piece not in text]
        reasons = [(place.rsplit(":", 1)[0], piece.strip()) for place, piece in all_of]
        known.update(reasons)
        for reason in sorted(set(reasons) & set(excused)):
            if not excused[reason].startswith(CAMPAIGN) and reason not in {(place.rsplit(":", 1)[0], piece.strip()) for place, piece in missing}:
                print(f"  {reason[0]}: {reason[1]!r} is triggered, and stands in unreached.txt")
        missing = [(place, piece) for place, piece in missing if (place.rsplit(":", 1)[0], piece.strip()) not in excused]
        left += len(missing)
        print(f"{folder}: {len(all_of)} messages, {len(missing)} not triggered, {len(set(reasons) & set(excused))} excused")
        if options.list:
            for place, piece in missing:
                print(f"  {place}: {piece!r}")
    gone = [entry for entry in excused if any(entry[0].startswith(f + "/") for f in found)
            and entry not in known]
    for file, piece in gone:
        print(f"unreached.txt: {file} has no message {piece!r}")
    return 1 if gone or (options.allow is not None and left > options.allow) else 0


if __name__ == "__main__":
    sys.exit(main())
