"""Writes papers/tempo/corpus once more as parquet, as TEMPO's files are: pandas-free pyarrow, nested structures, snappy (or another
compression). Run it after a change of it: python3 makeParquet.py [FOLDER [COMPRESSION]]; it needs the package pyarrow."""

import json
import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet as pq

here = pathlib.Path(__file__).parent
out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "corpusParquet"
compression = sys.argv[2] if len(sys.argv) > 2 else "snappy"

for source in sorted((here / "../../papers/tempo/corpus").glob("*/*.jsonl")):
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    target = out / source.parent.name / f"{source.stem}.parquet"
    target.parent.mkdir(parents=True, exist_ok=True)
    # Small row groups, so that reading several of them is exercised.
    pq.write_table(pa.Table.from_pylist(rows), target, compression=compression, row_group_size=5)
