#!/usr/bin/env bash
# Starts a server and fuzzes its API with Schemathesis: as a visitor and as a member, directly and through
# the sealing proxy (see proxy.mjs), and the office's API as an administrator.
# FUZZ_EXAMPLES: examples per operation. FUZZ_SERVER: the server binary. FUZZ_ONLY: `site` or `office`.
# Arguments go to Schemathesis: `scripts/fuzz/run.sh --include-path-regex ^/wps/session`.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v python3 > /dev/null || { echo "make fuzz needs python3"; exit 1; }
# The proxy uses these packages for sealing.
[ -d web/node_modules/@hpke/core ] || { echo "the web's packages are missing: make web"; exit 1; }
tool=var/fuzz/venv
[ -x "$tool/bin/schemathesis" ] || {
    mkdir -p var/fuzz
    python3 -m venv "$tool"
    "$tool/bin/pip" install -q "schemathesis>=4.32,<5"
}

data=$(mktemp -d)
site=127.0.0.1:18090
office=127.0.0.1:18091
proxy=127.0.0.1:18092
CAPIZ_DATA=$data CAPIZ_LISTEN=$site CAPIZ_OFFICE_LISTEN=$office CAPIZ_METRICS_LISTEN=off \
    CAPIZ_TRUSTED_PROXIES=127.0.0.1 RUST_LOG=warn \
    "${FUZZ_SERVER:-./target/release/capiz}" serve &
server=$!
proxy_pid=
stop() {
    [ -z "$proxy_pid" ] || kill "$proxy_pid"
    kill -INT $server
    wait $server || true
    rm -rf "$data"
}
trap stop EXIT
for _ in $(seq 200); do
    curl -fs "http://$site/readyz" > /dev/null && break
    sleep 0.3
done
node scripts/fuzz/proxy.mjs "http://$site" "${proxy#*:}" &
proxy_pid=$!
for _ in $(seq 50); do
    curl -fs "http://$proxy/openapi.json" > /dev/null && break
    sleep 0.2
done

failed=0
# fuzz NAME ADDRESS OPTION…
fuzz() {
    local name=$1 address=$2
    shift 2
    echo "== $name"
    local document=$address
    # One API document describes both listeners, and the site serves it.
    [ "$address" != $office ] || document=$site
    "$tool/bin/schemathesis" run "http://$document/openapi.json" --url "http://$address" \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --max-examples "${FUZZ_EXAMPLES:-200}" --no-color "$@" || failed=1
}

fuzz_site() {
    local session token cookie name address
    fuzz "as a visitor" $site --exclude-path-regex '^/office/' "$@"
    fuzz "as a visitor, behind the seal" $proxy --exclude-path-regex '^/office/' "$@"
    for address in $site $proxy; do
        # Fuzzing may end the session, so each run gets a new one.
        session=$(node scripts/fuzz/login.mjs "http://$site")
        token=$(printf '%s' "$session" | head -1)
        cookie=$(printf '%s' "$session" | tail -1)
        name="as a member"
        [ "$address" = $site ] || name="$name, behind the seal"
        fuzz "$name" "$address" -H "Authorization: Bearer $token" -H "Cookie: $cookie" \
            --exclude-path /wps/session/logout --exclude-path '/wps/member/devices/{id}' \
            --exclude-path-regex '^/office/' "$@"
    done
    # Last, since it may end the fuzzer's own session.
    [ $# -gt 0 ] || fuzz "as a member who ends sessions" $site -H "Authorization: Bearer $token" \
        -H "Cookie: $cookie" --include-path '/wps/member/devices/{id}'
}

fuzz_office() {
    local cookie call calls sensitive=() others=()
    # A separate assignment, so that a failure ends the run: an empty list would select every call, logout included.
    calls=$(node scripts/fuzz/grave.mjs "http://$site")
    for call in $calls; do
        sensitive+=(--include-operation-id "$call")
        others+=(--exclude-operation-id "$call")
    done
    cookie=$(node scripts/fuzz/office-login.mjs "http://$office")
    # First, because the login counts as re-authentication for ten minutes only.
    [ $# -gt 0 ] || fuzz "in the office, sensitive calls" $office -H "Cookie: $cookie" \
        -H "X-Office-Page: 1" "${sensitive[@]}"
    # If the arguments select calls, exclude none.
    [ $# -eq 0 ] || others=()
    fuzz "in the office" $office -H "Cookie: $cookie" -H "X-Office-Page: 1" \
        --include-path-regex '^/office/' --exclude-path /office/api/session/logout \
        --exclude-path '/office/api/session/list/{id}' "${others[@]}" "$@"
    # Last, since it may end the fuzzer's own session.
    [ $# -gt 0 ] || fuzz "in the office, ending sessions" $office -H "Cookie: $cookie" \
        -H "X-Office-Page: 1" --include-path '/office/api/session/list/{id}'
}

[ "${FUZZ_ONLY:-site}" != site ] || fuzz_site "$@"
[ "${FUZZ_ONLY:-office}" != office ] || fuzz_office "$@"
exit $failed
