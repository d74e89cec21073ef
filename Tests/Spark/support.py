"""A session of Spark with two executors, stores, and the command that answers are compared with."""

from __future__ import annotations

import atexit
import csv
import datetime
import io
import logging
import os
import pathlib
import signal
import subprocess
import threading
import time

from pyspark.sql import SparkSession

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUOIN = os.environ["QUOIN"]


def quoin(*arguments):
    """What the command prints."""
    done = subprocess.run([QUOIN, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def session():
    """The session: a master and two executors with a core and 1 GiB each, as processes of this machine."""
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.jars": os.environ["QUOIN_SPARK_JAR"], "spark.ui.enabled": "false", "spark.driver.memory": "1g",
        "spark.executor.memory": "1g", "spark.sql.shuffle.partitions": "2", "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false", "spark.sql.warehouse.dir": "warehouse", "spark.sql.session.timeZone": "UTC",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    logging.disable()
    atexit.register(spark.stop)
    return spark


def imported(store, *lines):
    """Imports lines of CSV."""
    subprocess.run([QUOIN, "import", "-", "--store", store], input="\n".join(["ticker,date,close", *lines, ""]), text=True, check=True, capture_output=True)


def executors():
    """The numbers of the executors' processes: they are children of this process's Java."""
    parents = {os.getpid()}
    found = set()
    for _ in range(4):
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) not in parents:
                    continue
                parents.add(int(folder.name))
                if b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes():
                    found.add(int(folder.name))
            except OSError:
                pass
    return found


def a_reader(spark):
    """An executor, once tasks are at work; else None."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    if any(stage and stage.numActiveTasks == 2 for stage in stages):
        time.sleep(0.5)
        return min(executors())


def a_writer(_):
    """An executor that has a file of a store open which it makes; else None."""
    for process in executors():
        for file in pathlib.Path(f"/proc/{process}/fd").iterdir():
            try:
                if "/_staged-" in os.readlink(file):
                    return process
            except OSError:
                pass


def while_an_executor_is_killed(spark, victim_of, action):
    """What an action on a frame gives, of which an executor is killed meanwhile. Fails if none was."""
    before, answers, victim = executors(), [], None
    asking = threading.Thread(target=lambda: answers.append(action()))
    asking.start()
    while victim is None and asking.is_alive():
        victim = victim_of(spark)
        time.sleep(0.01)
    assert victim in before, (victim, before)
    os.kill(victim, signal.SIGKILL)
    assert asking.is_alive(), "it was over already"
    asking.join()
    assert len(before) == 2 and victim not in executors() and answers, (before, victim, answers)
    return answers[0]


#: An expression of a row that is 0 and takes a millisecond.
SLOW = "if(reflect('java.lang.Thread', 'sleep', cast(1 as bigint)) = '', 1, 0)"


def plan(frame):
    return frame._jdf.queryExecution().executedPlan().toString()


def rows_of(frame):
    """The rows as tuples, by ticker and date."""
    return sorted((tuple(row) for row in frame.collect()), key=lambda row: row[:2])


def scanned(store, columns, where=None, *arguments):
    """What `quoin scan` prints, as such tuples."""
    text = quoin("scan", *(["--where", where] if where else []), "--columns", ",".join(columns), "--format", "csv", "--store", store, *arguments)
    lines = csv.reader(io.StringIO(text))
    next(lines, None)
    return sorted((tuple(cell(name, value) for name, value in zip(columns, line)) for line in lines), key=lambda row: row[:2])


def cell(name, text):
    if name == "ticker":
        return text
    if name == "date":
        return datetime.date.fromisoformat(text)
    if text == "":
        return None
    return int(text) if name == "volume" else float(text)
