#!/usr/bin/env bash
# Starts Sail, a distributed engine that speaks Flight SQL, with a driver and workers on loopback, and
# lets the test ask it. It needs pip (packages pysail, pyarrow and adbc-driver-flightsql) and cargo;
# where they can't be had, it says so and ends well.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT

python3 -m venv "$folder/python" &&
  "$folder/python/bin/pip" install -q pysail pyarrow adbc-driver-flightsql ||
  { echo 'skipped: pysail or adbc-driver-flightsql can not be installed'; exit 0; }
library=$("$folder/python/bin/python" -c 'import adbc_driver_flightsql as d; print(d._driver_path())')

echo 'four files of 100,000 orders'
mkdir "$folder/orders"
"$folder/python/bin/python" - "$folder/orders" <<'PYTHON'
import sys, pyarrow as pa, pyarrow.parquet as pq
rows = 100_000
for part in range(4):
    table = pa.table({
        "id": range(part * rows, (part + 1) * rows),
        "customer": [i % 1000 for i in range(rows)],
        "total": [float(i % 97) for i in range(rows)],
    })
    pq.write_table(table, f"{sys.argv[1]}/part-{part}.parquet")
PYTHON

port=32010
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
(cd "$folder" && SAIL_MODE=local-cluster RUST_LOG=info \
  exec "$folder/python/bin/sail" flight server --port "$port") >"$folder/sail.log" 2>&1 &
pid=$!
for _ in $(seq 150); do
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
  kill -0 "$pid" || { tail "$folder/sail.log"; exit 1; }
  sleep 0.2
done

export QUERENT_FLIGHT="grpc://127.0.0.1:$port" QUERENT_FLIGHT_FILES="$folder/orders"
QUERENT_ADBC_DRIVERS=$(dirname "$library") \
  cargo test --features adbc --test databases distributed -- --nocapture
echo 'the driver and its workers said:'
grep -E 'driver server is ready|worker [0-9]+ is available' "$folder/sail.log"
workers=$(grep -c 'is available' "$folder/sail.log")
[ "$workers" -ge 2 ] || { echo "$workers workers, and two were wanted"; exit 1; }
