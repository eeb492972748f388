#!/usr/bin/env bash
# Makes models/time-encoder.bin: made-up records and pages, benchmarks of the records, and the training on all of them.
# usage: models/train/times.sh FOLDER     (from the project's root, built: npm run build; minutes on two cores)
set -euo pipefail
folder=$1
kinds=(weather counts scores holders)
node --import tsx models/train/timeRecords.ts "$folder/records"
node --import tsx models/train/timePages.ts "$folder/pages"
arguments=(--triplets "$folder/pages/triplets-train.jsonl" --passages "$folder/pages/passages.jsonl" --dev "$folder/pages/dev.jsonl")
head -n 400 "$folder/pages/triplets-dev.jsonl" > "$folder/pages/dev.jsonl"
for kind in "${kinds[@]}"; do
  node --import tsx lib/cli/main.ts bench-data re2 --records "$folder/records/$kind.jsonl" --schema "$folder/records/$kind.schema.json" --out "$folder/$kind"
  head -n 400 "$folder/$kind/triplets-dev.jsonl" > "$folder/$kind/dev.jsonl"
  arguments+=(--triplets "$folder/$kind/triplets-train.jsonl" --passages "$folder/$kind/passages.jsonl" --dev "$folder/$kind/dev.jsonl")
done
node --import tsx lib/cli/main.ts train re3 "${arguments[@]}" --negatives time,entity,attribute --lambda-time 1 --extractor grammar --out models/time-encoder.bin
