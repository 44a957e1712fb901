"""What a copy holds, and how the one that is there differs from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolresult_generator import __version__
from toolresult_generator.director import Report, load_model
from toolresult_generator.languages import emitter
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.model.digest import digest_of
from toolresult_generator.vendor.layout import LAYOUTS, adapter_files, licence
from toolresult_generator.vendor.manifest import NAME, Copied
from toolresult_generator.write.compare import Change, changes_of, manifest_change
from toolresult_generator.write.manifest import digest


@dataclass(frozen=True)
class Wanted:
    """A copy as it should be."""

    manifest: Copied
    files: Mapping[str, bytes]
    """Each file but the manifest, by its path in the copy."""


def wanted_copy(language: str, spec: Path, *, report: Report) -> Wanted:
    """The copy of a language that a spec folder gives.

    Raises FindingsError if the spec has faults, KeyError for a language that has no copies, OSError
    if the adapters cannot be read.
    """
    layout = LAYOUTS[language]
    loaded = load_model(spec, report=report)
    report(f"emit {language}")
    emitted = emitter(language).emit(EmitRequest(loaded.model, loaded.documents))
    files = {
        layout.core + path.removeprefix(layout.emitted): data for path, data in emitted.items()
    }
    files |= adapter_files(layout)
    files["LICENSE"] = licence()
    manifest = Copied(
        language=language,
        version=__version__,
        format_version=max(one.number for one in loaded.model.result.format_versions),
        spec=digest_of(loaded.model),
        files={path: digest(data) for path, data in files.items()},
    )
    return Wanted(manifest, files)


def changes_to(folder: Path, wanted: Wanted, old: Copied | None) -> list[Change]:
    """What would have to change in a folder; the manifest comes last.

    Raises FindingsError if a file is there that cannot be read.
    """
    known = old.files if old is not None else {}
    changes = changes_of(folder, wanted.files, known)
    return changes + manifest_change(folder / NAME, wanted.manifest.to_bytes())


def edited_files(folder: Path, old: Copied) -> list[str]:
    """The files of a copy that are not as they were written, or are gone."""
    return [
        path
        for path, known in sorted(old.files.items())
        if not (folder / path).is_file() or digest((folder / path).read_bytes()) != known
    ]
