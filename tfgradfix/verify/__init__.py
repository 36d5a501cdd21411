"""The proof of a rewrite: both versions are run, each in a process of its own, and their gradient calls compared."""

from tfgradfix.verify.mirror import Version, version_of
from tfgradfix.verify.prove import verify, verify_versions
from tfgradfix.verify.records import Failure, GradientCall, HarnessError, Place, Run, Source, Value
from tfgradfix.verify.values import Agreement
from tfgradfix.verify.verdict import Row, SiteRow, SourceRow, Status, Verdict

__all__ = [
    "Agreement",
    "Failure",
    "GradientCall",
    "HarnessError",
    "Place",
    "Row",
    "Run",
    "SiteRow",
    "Source",
    "SourceRow",
    "Status",
    "Value",
    "Verdict",
    "Version",
    "verify",
    "verify_versions",
    "version_of",
]
