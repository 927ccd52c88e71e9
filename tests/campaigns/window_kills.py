"""A window of the workbench is killed while it is edited: every edit that was on the disk comes back.

  window_kills.py DRIVER FOLDER [--most N] [--seed S]

DRIVER is window_driver. SIGKILL comes at N random moments, from the start of the program to its n-th edit; what the next window restores is the
last edit that was kept before, or the one that was being kept. Exit status: 1 if anything was lost.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

MOST_SECONDS = 2.0  # from the start of the program to the kill


def lines_of(process):
    """The lines that the process prints, as they come."""
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
    reader.start()
    return lines, reader


def number_after(word, lines):
    return max([int(line.split()[1]) for line in lines if line.startswith(word)], default=0)


def kill_once(driver, folder, seed, seconds):
    """(edits that were kept before the kill, the edit that came back, what the restoring window said)"""
    shutil.rmtree(folder, ignore_errors=True)
    process = subprocess.Popen([driver, "edit", folder, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines, reader = lines_of(process)
    time.sleep(seconds)
    if process.poll() is not None:  # a window that nobody killed tells nothing
        sys.exit(f"{driver} ended by itself with status {process.returncode}; start in the folder of the sources")
    process.kill()
    process.wait()
    reader.join()
    again = subprocess.run([driver, "restore", folder], capture_output=True, text=True, timeout=60)
    return number_after("kept", lines), number_after("restored", again.stdout.splitlines()), again


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver")
    parser.add_argument("folder")
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    driver = str(pathlib.Path(arguments.driver).resolve())
    folder = str(pathlib.Path(arguments.folder).resolve())
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    chance = random.Random(arguments.seed)
    told = collections.Counter()
    fell = 0
    for k in range(arguments.most):
        kept, restored, again = kill_once(driver, folder, k, chance.uniform(0.0, MOST_SECONDS))
        told["before the first edit" if kept == 0 else "later"] += 1
        if again.returncode != 0 or not kept <= restored <= kept + 1:
            fell += 1
            print(f"FELL kill {k}: {kept} edits were kept, {restored} came back, status {again.returncode}\n     {again.stderr.strip()[-300:]}",
                  flush=True)
    print(f"{arguments.most} kills, " + ", ".join(f"{n} {when}" for when, n in told.items()) + f": {fell} fell")
    return 1 if fell else 0


if __name__ == "__main__":
    sys.exit(main())
