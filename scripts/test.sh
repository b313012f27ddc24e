#!/usr/bin/env bash
# Runs every check, continues after a failure, and prints the totals of all test runners at the end.
set -uo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never NO_COLOR=1 FORCE_COLOR=0
# A clean clone is built once, so incremental compilation would only cost time.
if [ -n "${CI:-}" ]; then export CARGO_INCREMENTAL=0; fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0
flaky=""

# Sums the counts that a runner prints: cargo's "N passed; N failed", the others' "N passed". Vitest
# also counts files, which are left out.
count() {
    grep -v 'Test Files' "$log" | grep -Eo "[0-9]+ $1" | awk '{ sum += $1 } END { print sum + 0 }'
}

# The names that Playwright lists under "N flaky".
flaky_tests() {
    awk '/^ +[0-9]+ (passed|failed|skipped|flaky|did not run)/ { listed = /flaky/; next }
         listed && NF { sub(/ ─.*$/, ""); print }' "$log"
}

# step NAME KIND COMMAND…: a `suite` reports its own number of tests, a `check` counts as one.
step() {
    local name=$1 kind=$2
    shift 2
    local began=$SECONDS ok=0 bad=0
    printf '\n== %s\n' "$name"
    "$@" 2>&1 | tee "$log"
    local status=${PIPESTATUS[0]}
    if [ "$kind" = suite ]; then
        # Tests that passed on a retry count as passed and are listed at the end.
        ok=$(($(count passed) + $(count flaky)))
        bad=$(count failed)
        flaky+=$(flaky_tests)
    fi
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ "$kind" = check ] && [ "$status" -eq 0 ]; then ok=1; fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    printf -- '-- %s: %s in %s s\n' "$name" "$([ "$status" -eq 0 ] && echo ok || echo FAILED)" \
        $((SECONDS - began))
}

step "web packages" check make web/node_modules/.installed
step "web build" check npm --prefix web run --silent build
step "rust format" check cargo fmt --all --check
step "rust lints" check cargo clippy -q --workspace --all-targets --all-features -- -D warnings
step "rust tests" suite make -s test-rust
step "returns" check env RETURN_ROUNDS=20000 cargo run -q -p capiz-rules --example returns
step "query cache" check ./scripts/queries.sh check
step "web format" check npm --prefix web run --silent format:check
step "web types" check npm --prefix web run --silent check
step "web lints" check npm --prefix web run --silent lint
step "web tests" suite npm --prefix web run --silent test
step "texts" check npm --prefix web run --silent i18n:check
step "budgets" check npm --prefix web run --silent budgets
step "API types" check ./scripts/api-types.sh
step "browser tests" suite env CI="${CI:-1}" make -s e2e

if [ -n "$flaky" ]; then printf '\nFlaky, passed on a retry:\n%s\n' "$flaky"; fi
printf '\n%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
