//! iOS configuration profiles with a web clip, which puts the site on the home screen.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use uuid::Uuid;

/// A web clip of a site.
pub(super) struct WebClip<'a> {
    /// The merchant's id, from which the profile's UUIDs are derived: a new profile replaces an
    /// older one.
    pub(super) id: Uuid,
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// The address that it opens.
    pub(super) url: &'a str,
    /// The icon on the home screen, a PNG. The lite profile has none.
    pub(super) icon: Option<&'a [u8]>,
    /// Whether the web clip opens in Safari instead of full screen.
    pub(super) is_lite: bool,
}

impl WebClip<'_> {
    /// The profile as an XML property list.
    pub(super) fn profile(&self) -> String {
        let kind = if self.is_lite { "lite" } else { "app" };
        let identifier = format!("{}.capiz.{kind}", escape(self.code));
        let [profile, clip] = [self.uuid("profile"), self.uuid("clip")];
        let (name, url) = (escape(self.name), escape(self.url));
        let icon = self.icon.filter(|_| !self.is_lite).map(|icon| BASE64_STANDARD.encode(icon));
        let icon = icon.map(|data| format!("<key>Icon</key><data>{data}</data>\n      "));
        let icon = icon.unwrap_or_default();
        let full = if self.is_lite { "false" } else { "true" };
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>FullScreen</key><{full}/>
      {icon}<key>IgnoreManifestScope</key><true/>
      <key>IsRemovable</key><true/>
      <key>Label</key><string>{name}</string>
      <key>PayloadDisplayName</key><string>{name}</string>
      <key>PayloadIdentifier</key><string>{identifier}.clip</string>
      <key>PayloadType</key><string>com.apple.webClip.managed</string>
      <key>PayloadUUID</key><string>{clip}</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>Precomposed</key><true/>
      <key>URL</key><string>{url}</string>
    </dict>
  </array>
  <key>PayloadDisplayName</key><string>{name}</string>
  <key>PayloadIdentifier</key><string>{identifier}</string>
  <key>PayloadOrganization</key><string>{name}</string>
  <key>PayloadRemovalDisallowed</key><false/>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadUUID</key><string>{profile}</string>
  <key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
"#
        )
    }

    /// A stable UUID: always the same for this merchant, kind of profile and part.
    fn uuid(&self, part: &str) -> String {
        use sha2::{Digest, Sha256};
        let kind = if self.is_lite { "lite" } else { "app" };
        let digest =
            Sha256::digest([&self.id.as_bytes()[..], kind.as_bytes(), part.as_bytes()].concat());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        let uuid = uuid::Builder::from_custom_bytes(bytes).into_uuid();
        uuid.to_string().to_uppercase()
    }
}

/// Escapes text for XML and drops control characters.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            other if other.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lite_profile_has_no_picture_and_opens_in_the_browser() {
        let clip = WebClip {
            id: Uuid::from_u128(7),
            code: "capiz",
            name: "Salt & <Shell>",
            url: "https://play.example/",
            icon: Some(b"a picture"),
            is_lite: false,
        };
        let full = clip.profile();
        let lite = WebClip { is_lite: true, ..clip }.profile();
        assert!(full.contains("<key>Icon</key><data>YSBwaWN0dXJl</data>"), "{full}");
        assert!(full.contains("<key>FullScreen</key><true/>"), "{full}");
        assert!(!lite.contains("Icon"), "{lite}");
        assert!(lite.contains("<key>FullScreen</key><false/>"), "{lite}");
        assert!(lite.contains("<string>Salt &amp; &lt;Shell&gt;</string>"), "{lite}");
        assert!(!lite.contains(clip_uuid(&full)), "each profile is one of its own");
    }

    fn clip_uuid(profile: &str) -> &str {
        let (_, rest) = profile.split_once("<key>PayloadUUID</key><string>").unwrap();
        rest.split_once('<').unwrap().0
    }
}
