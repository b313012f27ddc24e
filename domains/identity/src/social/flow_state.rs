//! The secrets of a sign-in while the visitor is at the provider. They are stored encrypted.

use serde::{Deserialize, Serialize};

use platform::error::ApiError;
use platform::secret::RootKey;
use platform::vault;

/// The secrets of one sign-in.
#[derive(Serialize, Deserialize)]
pub(super) struct FlowState {
    pub(super) nonce: String,
    pub(super) verifier: String,
    pub(super) redirect_uri: String,
}

/// Encrypts flow states, so that reading the database does not allow anybody to finish a sign-in.
pub(super) struct Vault(vault::Vault);

impl Vault {
    pub(super) fn new(root: &RootKey) -> Self {
        Self(vault::Vault::new(root, "sessions/social"))
    }

    /// Encrypts a flow state. It can be decrypted only with the same OAuth `state`.
    pub(super) fn lock(
        &self,
        state: &[u8; 32],
        flow_state: &FlowState,
    ) -> Result<Vec<u8>, ApiError> {
        let text = serde_json::to_vec(flow_state).map_err(ApiError::internal)?;
        self.0.lock(state, &text).map_err(ApiError::internal)
    }

    pub(super) fn open(&self, state: &[u8; 32], sealed: &[u8]) -> Result<FlowState, ApiError> {
        let text = self.0.open(state, sealed).map_err(ApiError::internal)?;
        serde_json::from_slice(&text).map_err(ApiError::internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::secret::Secret;

    #[test]
    fn luggage_opens_under_its_own_state_only() {
        let vault = Vault::new(&RootKey::new(&Secret::new("a secret of the tests".to_owned())));
        let flow_state = FlowState {
            nonce: "n".to_owned(),
            verifier: "v".to_owned(),
            redirect_uri: "https://capiz.example".to_owned(),
        };
        let sealed = vault.lock(&[1; 32], &flow_state).unwrap();
        assert_eq!(vault.open(&[1; 32], &sealed).unwrap().verifier, "v");
        assert!(vault.open(&[2; 32], &sealed).is_err());
        assert!(vault.open(&[1; 32], &sealed[1..]).is_err());
        assert!(vault.open(&[1; 32], &[]).is_err());
    }
}
