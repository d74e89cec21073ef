"""The version of the package, which is that of its library."""

VERSION = "0.1.0"
