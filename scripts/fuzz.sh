#!/usr/bin/env bash
# Schemathesis over the API of a server of its own, as a visitor and as a member.
# FUZZ_EXAMPLES sets how many examples each operation gets.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v python3 > /dev/null || { echo "make fuzz needs python3"; exit 1; }
tool=var/fuzz/venv
[ -x "$tool/bin/schemathesis" ] || {
    mkdir -p var/fuzz
    python3 -m venv "$tool"
    "$tool/bin/pip" install -q "schemathesis>=4.32,<5"
}

data=$(mktemp -d)
site=127.0.0.1:18090
CAPIZ_DATA=$data CAPIZ_LISTEN=$site CAPIZ_OFFICE_LISTEN=127.0.0.1:18091 CAPIZ_METRICS_LISTEN=off \
    RUST_LOG=warn ./target/release/capiz serve &
server=$!
trap 'kill -INT $server; wait $server || true; rm -rf "$data"' EXIT
for _ in $(seq 100); do
    curl -fs "http://$site/readyz" > /dev/null && break
    sleep 0.3
done

fuzz() {
    "$tool/bin/schemathesis" run "http://$site/openapi.json" --url "http://$site" \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --max-examples "${FUZZ_EXAMPLES:-200}" --no-color "$@"
}

echo "== as a visitor"
fuzz
echo "== as a member"
session=$(./scripts/fuzz-login.mjs "http://$site")
token=$(printf '%s' "$session" | head -1)
cookie=$(printf '%s' "$session" | tail -1)
fuzz -H "Authorization: Bearer $token" -H "Cookie: $cookie" --exclude-path /wps/session/logout
