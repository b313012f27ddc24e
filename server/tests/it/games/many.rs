//! A catalogue of many games can be listed and searched. `capiz-bench catalogue` measures how long
//! that takes with very many.

use super::{change, page};
use crate::harness::TestApp;

/// Fills the catalogue up to this many games of twenty vendors.
async fn fill(test: &TestApp, games: usize) {
    change(
        test,
        &format!(
            "insert into games_vendors (vassalage, display_name, account_type_name, position)
             select 'V' || n, 'Vendor ' || n, 'V' || n, n + 10 from generate_series(10, 29) n
             on conflict do nothing;
             insert into games_catalogue (code, vendor, vassalage, game_type, name, classify,
                is_new, is_hot, position, min_stake, max_stake, max_payout)
             select 'g-' || n, 'V' || 10 + n % 20, 'V' || 10 + n % 20,
                (array['RNG', 'LIVE', 'PVP', 'FISH'])[1 + n % 4],
                (array['Golden', 'Lucky', 'Wild', 'Royal', 'Mystic'])[1 + n % 5] || ' ' ||
                (array['Dragon', 'Tiger', 'Pearl', 'Fortune', 'Lantern', 'Carnival', 'Treasure'])
                    [1 + n % 7] || ' ' || n,
                (array['{{JP}}', '{{SC}}', '{{}}'])[1 + n % 3]::text[],
                n % 10 = 0, n % 50 = 0, n + 100, 10000, 100000, 1000000
             from generate_series(100, 99 + {games}) n on conflict do nothing"
        ),
    )
    .await;
}

#[tokio::test]
async fn many_games_are_listed_by_page_and_found() {
    let test = TestApp::new().await;
    fill(&test, 3_000).await;
    let visitor = test.visitor();
    let last = page(&visitor, "pageNo=31&pageSize=100").await;
    assert_eq!((last.len(), last[11].as_str()), (12, "g-3099"));
    let all = visitor.get("/lgw/games?gameType=RNG&gameClassify=JP&vassalage=V14&pageSize=1").await;
    let by_hand = (100..3_100).filter(|n| n % 20 == 4 && n % 4 == 0 && n % 3 == 0).count();
    assert_eq!(all.value()["total"], by_hand);
    assert_eq!(page(&visitor, "search=golden%20dragon%201050").await, ["g-1050"]);
    assert_eq!(page(&visitor, "search=gloden%20dragno%201050").await, ["g-1050"]);
    assert_eq!(page(&visitor, "search=treasrue&pageSize=1").await.len(), 1);
}
