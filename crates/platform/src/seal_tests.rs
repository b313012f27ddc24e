use serde_json::Value;

use super::*;
use crate::secret::Secret;

const TARGET: Target<'_> = Target { method: "POST", path: "/wps/session/login" };

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_900_000_000, 0).unwrap()
}

fn keys() -> SealKeys {
    SealKeys::new(RootKey::new(&Secret::new("a secret only for tests, long enough".to_owned())))
}

fn sealed() -> SealedBody {
    seal_to(&keys().current(noon()), TARGET, "nonce-nonce-nonce", b"{\"a\":1}").unwrap()
}

#[test]
fn opens_what_was_sealed_to_it() {
    assert_eq!(keys().open(TARGET, &sealed(), noon()).unwrap(), b"{\"a\":1}");
}

#[test]
fn a_key_lives_two_days() {
    let mut body = sealed();
    let late = noon() + chrono::Duration::days(1);
    // The time is authenticated too, so the payload is sealed again with the old key.
    let key = SealKey { now: late.timestamp_millis(), ..keys().current(noon()) };
    body = seal_to(&key, TARGET, &body.nonce, b"x").unwrap();
    assert!(keys().open(TARGET, &body, late).is_ok());
    let later = late + chrono::Duration::days(1);
    let key = SealKey { now: later.timestamp_millis(), ..keys().current(noon()) };
    let body = seal_to(&key, TARGET, &body.nonce, b"x").unwrap();
    assert_eq!(keys().open(TARGET, &body, later), Err(SealInvalid));
}

#[test]
fn refuses_what_is_old_or_early_or_elsewhere() {
    let body = sealed();
    let window = chrono::Duration::milliseconds(WINDOW_MS);
    assert!(keys().open(TARGET, &body, noon() + window).is_ok());
    for now in [noon() + window * 2, noon() - window * 2] {
        assert_eq!(keys().open(TARGET, &body, now), Err(SealInvalid));
    }
    for target in [Target { method: "PUT", ..TARGET }, Target { path: "/wps/session", ..TARGET }] {
        assert_eq!(keys().open(target, &body, noon()), Err(SealInvalid));
    }
    let extreme = SealedBody { at: i64::MIN, ..sealed() };
    assert_eq!(keys().open(TARGET, &extreme, noon()), Err(SealInvalid));
}

#[test]
fn every_flipped_bit_is_refused() {
    let body = sealed();
    for field in ["enc", "ct", "nonce", "kid"] {
        let text = match field {
            "enc" => &body.enc,
            "ct" => &body.ct,
            "nonce" => &body.nonce,
            _ => &body.kid,
        };
        for index in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[index] = if bytes[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            let mut tampered = body.clone();
            match field {
                "enc" => tampered.enc = changed,
                "ct" => tampered.ct = changed,
                "nonce" => tampered.nonce = changed,
                _ => tampered.kid = changed,
            }
            assert_eq!(keys().open(TARGET, &tampered, noon()), Err(SealInvalid), "{field} {index}");
        }
    }
}

/// One case of the test vectors that Rust and TypeScript share.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    name: String,
    private_key: String,
    public_key: String,
    method: String,
    path: String,
    #[serde(flatten)]
    body: SealedBodyLoose,
    plaintext: String,
}

#[derive(Serialize, Deserialize)]
struct SealedBodyLoose {
    kid: String,
    enc: String,
    ct: String,
    at: i64,
    nonce: String,
}

fn vectors_path(file: &str) -> String {
    format!("{}/../../vectors/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn make_vector(name: &str, method: &str, path: &str, plaintext: &str) -> Vector {
    let (private, public) =
        DhP256HkdfSha256::derive_keypair(b"capiz test vectors, never a real key!");
    let public_key = BASE64_URL_SAFE_NO_PAD.encode(public.to_bytes());
    let key = SealKey { kid: "d1".into(), public_key: public_key.clone(), now: 1_900_000_000_123 };
    let body =
        seal_to(&key, Target { method, path }, "AAECAwQFBgcICQoLDA0ODw", plaintext.as_bytes())
            .unwrap();
    Vector {
        name: name.into(),
        private_key: hex::encode(private.to_bytes()),
        public_key,
        method: method.into(),
        path: path.into(),
        body: SealedBodyLoose {
            kid: body.kid,
            enc: body.enc,
            ct: body.ct,
            at: body.at,
            nonce: body.nonce,
        },
        plaintext: plaintext.into(),
    }
}

#[test]
fn opens_the_shared_vectors_of_both_languages() {
    if std::env::var("CAPIZ_WRITE_VECTORS").is_ok() {
        let vectors = [
            make_vector(
                "login",
                "POST",
                "/wps/session/login",
                r#"{"username":"maria","password":"x"}"#,
            ),
            make_vector("empty object", "PUT", "/wps/member/register", "{}"),
            make_vector("unicode", "POST", "/wps/session/login", r#"{"note":"₱ ñ 漢字 🎲"}"#),
        ];
        let text = serde_json::to_string_pretty(&vectors).unwrap();
        std::fs::write(vectors_path("seal.json"), text + "\n").unwrap();
    }
    for file in ["seal.json", "seal-web.json"] {
        let text = std::fs::read_to_string(vectors_path(file)).unwrap();
        let vectors: Vec<Vector> = serde_json::from_str(&text).unwrap();
        assert!(vectors.len() >= 3, "{file} holds too few cases");
        for vector in vectors {
            let private =
                PrivateKey::from_bytes(&hex::decode(&vector.private_key).unwrap()).unwrap();
            let body: Value = serde_json::to_value(&vector.body).unwrap();
            let body: SealedBody = serde_json::from_value(body).unwrap();
            let target = Target { method: &vector.method, path: &vector.path };
            let opened = open_with(&private, target, &body).unwrap();
            assert_eq!(String::from_utf8(opened).unwrap(), vector.plaintext, "{}", vector.name);
        }
    }
}
