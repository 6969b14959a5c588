"""Results as parts of Parquet, through DuckDB: a row for each text, with its whole line beside what is looked for
most."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from withstood.errors import MissingExtra, OutputError

SELECT = """
    SELECT json ->> '$.id' AS id, json ->> '$.label' AS label, json ->> '$.text_hash' AS text_hash,
           CAST(json ->> '$.line' AS BIGINT) AS line, json ->> '$.error.code' AS error, CAST(json AS VARCHAR) AS result
    FROM read_json_objects($source, format = 'newline_delimited', maximum_object_size = 268435456)
"""


class Parts:
    """Parts of so many rows in a folder; each is written beside its name and moved there when it is whole."""

    def __init__(self, folder: Path, rows: int) -> None:
        try:
            import duckdb
        except ModuleNotFoundError:
            raise MissingExtra("Parquet", "batch") from None
        self._db = duckdb.connect()
        self._fault = duckdb.Error
        self._folder, self._rows = folder, rows

    def convert(self, results: Path) -> list[Path]:
        """The lines of a file of results as parts, in order. What an earlier time left there is taken away."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for old in self._folder.glob("part-*"):
                old.unlink()
            with results.open("rb") as lines:
                return list(self._parts(lines))
        except (OSError, self._fault) as fault:
            raise OutputError(
                f"Parquet cannot be written to {self._folder}: {fault}. Make room or name another folder with -o."
            ) from None
        finally:
            self._db.close()

    def _parts(self, lines: Iterator[bytes]) -> Iterator[Path]:
        no = 1
        while gathered := list(islice(lines, self._rows)):
            yield self._part(no, gathered)
            no += 1

    def _part(self, no: int, lines: list[bytes]) -> Path:
        source, target = self._folder / f"part-{no:05}.jsonl", self._folder / f"part-{no:05}.parquet"
        half = target.with_suffix(".half")
        source.write_bytes(b"".join(lines))
        quoted = str(half).replace("'", "''")
        self._db.execute(f"COPY ({SELECT}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)", {"source": str(source)})
        source.unlink()
        with half.open("rb") as whole:
            os.fsync(whole.fileno())
        return half.replace(target)
