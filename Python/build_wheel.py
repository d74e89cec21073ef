"""Makes the wheel: a zip of the package and the library. `build_wheel.py LIBRARY VERSION DIRECTORY`"""

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


def tag(library: Path) -> str:
    """What the library needs: the newest version of glibc among its symbols."""
    if library.suffix == ".dylib":
        return f"py3-none-macosx_15_0_{platform.machine()}"
    needs = subprocess.run(["readelf", "--version-info", "--wide", str(library)], capture_output=True, text=True, check=True).stdout
    versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([\d.]+)", needs)}
    major, minor, *_ = max(versions)
    return f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"


def main(library: Path, version: str, directory: Path) -> None:
    name, info = f"quoin-{version}", f"quoin-{version}.dist-info"
    wheel_tag = tag(library)
    files = {f"quoin/{file.name}": file.read_bytes() for file in sorted((HERE / "quoin").iterdir()) if file.suffix in (".py", ".typed")}
    files[f"quoin/{library.name}"] = library.read_bytes()
    readme = (HERE / "README.md").read_text()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: quoin\nVersion: {version}\nSummary: Range questions about daily stock quotes\n"
        f"Requires-Python: >=3.10\nLicense-Expression: Apache-2.0\nDescription-Content-Type: text/markdown\n\n{readme}").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: quoin\nRoot-Is-Purelib: false\nTag: {wheel_tag}\n".encode()
    for notice in ("LICENSE", "NOTICE"):
        files[f"{info}/licenses/{notice}"] = (HERE.parent / notice).read_bytes()
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
