"""The connector for Spark, which the package has with it.

    from pyspark.sql import SparkSession
    import quoindb.spark

    spark = SparkSession.builder.config("spark.jars", quoindb.spark.jar()).getOrCreate()
    spark.read.format("quoin").load("quoin-store").filter("high between 80 and 83").show()

Spark pushes conditions, columns, limits, counts and extremes down to the store. All executors read the generation that the driver saw.
Options: `where`, a condition in Quoin's language; `tickers`, with commas between them; `at`, a snapshot; `partitions`, how many parts are
read. `frame.write.format("quoin").mode("append").save("quoin-store")` stores rows, and the mode "overwrite" replaces all.
"""

from __future__ import annotations

import os


def jar() -> str:
    """The path of the jar, for Spark's setting `spark.jars`; or the one that QUOIN_SPARK_JAR names.

    Raises FileNotFoundError if the package was built without it.
    """
    path = os.environ.get("QUOIN_SPARK_JAR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "quoin-spark.jar")
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no {path}: the package has the connector for Spark if it is built by: make spark-jar wheel")
    return path
