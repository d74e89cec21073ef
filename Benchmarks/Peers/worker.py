"""One engine in a process of its own, one task, one JSON object a line (as quoin-bench prints them).

    python -m Peers.worker ENGINE load THREADS DIRECTORY CSV            make the engine's durable store
    python -m Peers.worker ENGINE scan THREADS DIRECTORY NAME ...       time these of Q1 to Q12 and A1 to A8
    python -m Peers.worker ENGINE append THREADS DIRECTORY CSV ...      append each file, then ask Q2

An engine is a module `Peers/ENGINE_peer.py` with `version`, `load(csv, directory, threads)`, and a class `Peer` that opens
the store: `cases()` gives a function for each query that it can answer; what this returns stays in the engine's own
columns, and `table(result)` makes a count or an Arrow table of it, in the order of the query's columns.
`append(csv)`, where there is one, adds a file of rows durably."""

import importlib
import json
import os
import sys
import time

WARMUPS, RUNS, PAUSE, BUDGET = 2, 9, 0.05, 4.0  # as in Stopwatch.swift
LONG = 10.0  # seconds: a question that takes so long isn't asked again


def main(engine, task, threads, directory, *files):
    threads = int(threads)
    os.environ["POLARS_MAX_THREADS"] = str(threads)  # read when polars is imported
    peer = importlib.import_module(f"Peers.{engine}_peer")
    say = lambda query, answer, times: print(json.dumps({
        "engine": engine, "version": peer.version, "query": query, "threads": threads, "answer": answer,
        "times": times, "peak_bytes": peak_beyond_files()}), flush=True)
    if task == "load":
        reset_peak()
        start = time.perf_counter()
        rows = peer.load(files[0], directory, threads)
        say("Q14", [rows], [milliseconds_since(start)])
    elif task == "scan":
        scan(peer.Peer(directory, threads), files, say)
    else:
        append(peer.Peer(directory, threads), files, say)


def scan(peer, names, say):
    from Peers.answers import answer
    for name, case in peer.cases().items():
        if name not in names:
            continue
        reset_peak()
        start = time.perf_counter()
        found = case()
        first_time = milliseconds_since(start)
        first = answer(peer.table(found))
        del found
        if first_time > LONG * 1000:
            say(name, first, [first_time])
            continue
        warmups = 1
        while (warmups < WARMUPS or time.perf_counter() - start < PAUSE) and time.perf_counter() - start < BUDGET:
            case()
            warmups += 1
        reset_peak()
        times = []
        timed_start = time.perf_counter()
        while not times or ((len(times) < RUNS or time.perf_counter() - timed_start < PAUSE)
                            and time.perf_counter() - start < BUDGET):
            begin = time.perf_counter()
            result = case()
            times.append(milliseconds_since(begin))
            del result
        say(name, first, times)


def append(peer, files, say):
    from Peers.answers import answer
    question = peer.cases()["Q2"]
    question()
    appending, asking = [], []
    for file in files:
        start = time.perf_counter()
        peer.append(file)
        appended = time.perf_counter()
        found = question()
        appending.append((appended - start) * 1000)
        asking.append(milliseconds_since(appended))
    say("Q15 append", [len(files)], appending)
    say("Q15 then Q2", answer(peer.table(found)), asking)
    say("Q15", answer(peer.table(found)), [a + b for a, b in zip(appending, asking)])


def milliseconds_since(start):
    return (time.perf_counter() - start) * 1000


def reset_peak():
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def peak_beyond_files():
    """The peak of memory less the mapped files, as in PeakMemory.swift."""
    try:
        with open("/proc/self/status") as file:
            sizes = {line.split(":")[0]: line.split() for line in file}
        return max(0, int(sizes["VmHWM"][1]) - int(sizes["RssFile"][1])) * 1024
    except (OSError, KeyError):
        return None


if __name__ == "__main__":
    main(*sys.argv[1:])
