"""Bundles: one user's whole memory as a file of JSON lines, with provenance and history, out and in again."""

from .reading import Imported, import_bundle
from .writing import export_bundle

__all__ = ["Imported", "export_bundle", "import_bundle"]
