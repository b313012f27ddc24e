#!/usr/bin/env bash
# The query cache in .sqlx/: `write` regenerates it from a live database, `check` compares it.
set -euo pipefail
cd "$(dirname "$0")/.."

fresh=$(mktemp -d)
stamps=$(mktemp -d)

# The query macros run only when their crate is compiled, so every crate with queries is touched. The
# times are put back afterwards: otherwise every later build would compile all crates again.
roots=(crates/platform/src/lib.rs domains/*/src/lib.rs server/src/lib.rs)
cp --parents --preserve=timestamps "${roots[@]}" "$stamps"
put_back() {
    for root in "${roots[@]}"; do touch -r "$stamps/$root" "$root"; done
    rm -rf "$fresh" "$stamps"
}
trap put_back EXIT
touch "${roots[@]}"
cargo run -q -p private-pg --features migrate --bin with-postgres -- \
    --root . --temp --unsafe-fast --migrate server/migrations -- \
    env SQLX_OFFLINE=false SQLX_OFFLINE_DIR="$fresh" cargo check -q --workspace --all-targets

case "${1:-check}" in
write)
    rm -rf .sqlx
    cp -r "$fresh" .sqlx
    chmod 755 .sqlx
    echo "$(find .sqlx -name '*.json' | wc -l) queries in .sqlx/"
    ;;
check)
    diff -r .sqlx "$fresh" || {
        echo "The query cache is out of date: run \`make queries\` and commit .sqlx/"
        exit 1
    }
    ;;
esac
