"""Reads the trace journal of a Penstock router. Written from docs/formats/trace-journal.md alone."""
from .reader import DamagedJournal, JournalReader

__all__ = ["DamagedJournal", "JournalReader"]
