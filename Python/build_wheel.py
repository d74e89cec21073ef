"""Makes the wheel: a zip of the package, the library and its header. `build_wheel.py LIBRARY VERSION DIRECTORY`"""

from __future__ import annotations

import base64
import hashlib
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

#: Of the distribution and of its module: `quoin` is somebody else's on the index.
NAME = "quoindb"

#: Libraries that read what the package answers, and what they need beside themselves.
EXTRAS = {
    "arrow": ["pyarrow"],
    "dask": ["dask[dataframe]", "pyarrow"],
    "datafusion": ["datafusion", "pyarrow"],
    "duckdb": ["duckdb"],
    "numpy": ["numpy"],
    "pandas": ["pandas", "pyarrow"],
    "polars": ["polars>=1.30"],
    "qlib": ["pyqlib"],
    "ray": ["ray[data]", "pyarrow"],
    "spark": ["pyspark"],
}

#: Of what the library contains: see NOTICE.
LICENSES = [ROOT / "LICENSE", ROOT / "NOTICE", *sorted((ROOT / "packaging/licenses").iterdir())]
LICENSE_EXPRESSION = "Apache-2.0 AND Apache-2.0 WITH Swift-exception AND BSD-2-Clause AND Zlib"


def tag(library: Path) -> str:
    """What the library needs: the newest version of glibc among its symbols."""
    if library.suffix == ".dylib":
        return f"py3-none-macosx_15_0_{platform.machine()}"
    needs = subprocess.run(["readelf", "--version-info", "--wide", str(library)], capture_output=True, text=True, check=True).stdout
    versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([\d.]+)", needs)}
    major, minor, *_ = max(versions)
    return f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"


def metadata(version: str) -> str:
    """The wheel's METADATA."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {NAME}",
        f"Version: {version}",
        "Summary: Range questions about daily stock quotes, answered as Arrow data",
        "Requires-Python: >=3.10",
        f"License-Expression: {LICENSE_EXPRESSION}",
        *(f"License-File: {file.name}" for file in LICENSES),
        "Keywords: stock quotes,time series,columnar,arrow,polars,pandas,quandl",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Topic :: Office/Business :: Financial :: Investment",
        "Classifier: Typing :: Typed",
        *(f"Provides-Extra: {extra}" for extra in EXTRAS),
        *(f"Requires-Dist: {name}; extra == '{extra}'" for extra, names in EXTRAS.items() for name in names),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(),
    ]
    return "\n".join(lines)


def spark_jar(library: Path) -> bytes | None:
    """The connector for Spark, if it was built with this library."""
    jar = ROOT / ".build/spark/quoin-spark.jar"
    if not jar.exists():
        return None
    with zipfile.ZipFile(jar) as entries:
        if entries.read("quoin/spark/native/libquoin.so.1") == library.read_bytes():
            return jar.read_bytes()
    print("build_wheel: the wheel is without the connector for Spark, which has an older library; make spark-jar", file=sys.stderr)
    return None


def main(library: Path, version: str, directory: Path) -> None:
    said = re.search('VERSION = "(.*)"', (HERE / NAME / "_version.py").read_text())
    if not said or said[1] != version:
        sys.exit(f"build_wheel: Python/quoindb/_version.py doesn't say version {version}")
    name, info = f"{NAME}-{version}", f"{NAME}-{version}.dist-info"
    wheel_tag = tag(library)
    files = {f"{NAME}/{file.name}": file.read_bytes() for file in sorted((HERE / NAME).iterdir()) if file.suffix in (".py", ".typed")}
    files[f"{NAME}/{library.name}"] = library.read_bytes()
    files[f"{NAME}/language.md"] = (ROOT / "docs/language.md").read_bytes()
    files[f"{NAME}/quoin.h"] = (ROOT / "Sources/CQuoin/include/quoin.h").read_bytes()
    if jar := spark_jar(library):
        files[f"{NAME}/quoin-spark.jar"] = jar
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: quoin\nRoot-Is-Purelib: false\nTag: {wheel_tag}\n".encode()
    for file in LICENSES:
        files[f"{info}/licenses/{file.name}"] = file.read_bytes()
    lines = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
             for path, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    directory.mkdir(parents=True, exist_ok=True)
    wheel = directory / f"{name}-{wheel_tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            # The same bytes make the same wheel.
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
