#!/usr/bin/env bash
# Checks that the web's API types match openapi.json.
set -euo pipefail
cd "$(dirname "$0")/.."
types=web/src/lib/api/schema.d.ts
before=$(mktemp)
trap 'rm -f "$before"' EXIT
cp "$types" "$before"
npm --prefix web run --silent api:types > /dev/null
diff "$before" "$types" || {
    echo "The web's API types are out of date: run \`make docs\` and commit $types"
    exit 1
}
