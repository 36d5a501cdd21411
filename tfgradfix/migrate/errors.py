"""What ends a migration before anything is written."""

from __future__ import annotations


class MigrateError(Exception):
    """The run cannot start or go on; the message tells the user why and what to do."""
