"""Questions about files that aren't in the system's page cache, each in a process of its own.

Before each run, the kernel is asked to drop the files of the engine that is asked (posix_fadvise). This needs no more than
permission to read them; other files and other programs keep their pages. The programs themselves stay in the cache."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

RUNS = 9
BLOCK = 512  # what the kernel counts read bytes in


def evict(path):
    """Drops a file, or all files of a directory, from the page cache. What is not yet on the disk is written first."""
    path = Path(path)
    for file in [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]:
        descriptor = os.open(file, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def ask(command, files):
    """Runs a program after dropping the files: its output, the milliseconds, and the bytes that it made the disk read."""
    evict(files)
    start = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    milliseconds = (time.perf_counter() - start) * 1000
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} ended with status {process.returncode}")
    return text, milliseconds, usage.ru_inblock * BLOCK


def works(path):
    """Whether a directory's files can be dropped and are then read from a disk: not on macOS, and not in a file system that
    is memory."""
    return hasattr(os, "posix_fadvise") and ask(["sh", "-c", f"cat '{path}'/* | wc -c"], path)[2] > 0


def read(directory, count):
    """The milliseconds that it takes to read the first `count` bytes of a directory's files, one after another."""
    evict(directory)
    start = time.perf_counter()
    for path in sorted(Path(directory).iterdir()):
        with open(path, "rb", buffering=0) as file:
            while count > 0 and (part := file.read(min(count, 1 << 20))):
                count -= len(part)
    return (time.perf_counter() - start) * 1000


def parquet(*words):
    """Runs Peers/parquet.py: its JSON, and the milliseconds of the whole process, the start of Python and Polars with it."""
    command = [sys.executable, "-m", "Peers.parquet", *map(str, words)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parent)}
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    milliseconds = (time.perf_counter() - start) * 1000
    return json.loads(done.stdout or "{}"), milliseconds
