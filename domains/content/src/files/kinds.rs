//! What a file is, read from its bytes.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};
use serde::Serialize;
use utoipa::ToSchema;

/// The largest picture.
const PICTURE_BYTES: usize = 2 * 1024 * 1024;
/// The longest side of a picture, in pixels.
const PICTURE_SIDE: u32 = 6_000;
/// What unpacking a picture may take.
const PICTURE_MEMORY: u64 = 160 * 1024 * 1024;

/// A kind of file that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum FileKind {
    Png,
    Jpg,
    Webp,
    /// An app for Android.
    Apk,
}

impl FileKind {
    const ALL: [Self; 4] = [Self::Png, Self::Jpg, Self::Webp, Self::Apk];

    /// The end of its name.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpg => "jpg",
            Self::Webp => "webp",
            Self::Apk => "apk",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.text() == text)
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Apk => "application/vnd.android.package-archive",
        }
    }

    /// What these bytes are, or why they are not taken.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, &'static str> {
        let format = match image::guess_format(bytes) {
            Ok(format @ ImageFormat::Png) => Some((Self::Png, format)),
            Ok(format @ ImageFormat::Jpeg) => Some((Self::Jpg, format)),
            Ok(format @ ImageFormat::WebP) => Some((Self::Webp, format)),
            _ => None,
        };
        match format {
            Some((kind, format)) => check_picture(bytes, format).map(|()| kind),
            None if is_apk(bytes) => Ok(Self::Apk),
            None => Err("unknown"),
        }
    }
}

/// A picture is unpacked once, so that one which breaks browsers is not kept.
fn check_picture(bytes: &[u8], format: ImageFormat) -> Result<(), &'static str> {
    if bytes.len() > PICTURE_BYTES {
        return Err("too_large");
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(PICTURE_SIDE);
    limits.max_image_height = Some(PICTURE_SIDE);
    limits.max_alloc = Some(PICTURE_MEMORY);
    reader.limits(limits);
    reader.decode().map(drop).map_err(|_| "broken")
}

/// An app is a ZIP archive that names its manifest.
fn is_apk(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
        && central_names(bytes)
            .is_some_and(|mut names| names.any(|name| name == b"AndroidManifest.xml"))
}

const END_OF_DIRECTORY: &[u8] = b"PK\x05\x06";
/// The record at a ZIP archive's end, and the longest comment after it.
const END_LENGTH: usize = 22;
const COMMENT_MOST: usize = 65_535;
const ENTRY_LENGTH: usize = 46;

/// The names in a ZIP archive's directory.
fn central_names(bytes: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let tail = bytes.len().saturating_sub(END_LENGTH + COMMENT_MOST);
    let is_end = |window: &[u8]| window == END_OF_DIRECTORY;
    let end = bytes.get(tail..)?.windows(END_OF_DIRECTORY.len()).rposition(is_end)? + tail;
    let start = usize::try_from(number(bytes, end + 16, 4)?).ok()?;
    let mut rest = bytes.get(start..end)?;
    Some(std::iter::from_fn(move || {
        if !rest.starts_with(b"PK\x01\x02") {
            return None;
        }
        let length = |at| number(rest, at, 2).and_then(|length| usize::try_from(length).ok());
        let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
        let found = rest.get(ENTRY_LENGTH..ENTRY_LENGTH + name)?;
        rest = rest.get(ENTRY_LENGTH + name + extra + comment..)?;
        Some(found)
    }))
}

/// A number with its least byte first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let digits = bytes.get(at..at + length)?;
    Some(digits.iter().rev().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ZIP archive that holds one empty file.
    fn archive(name: &str) -> Vec<u8> {
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend(length);
        bytes.extend([0; 2]);
        bytes.extend(name.as_bytes());
        let start = u32::try_from(bytes.len()).unwrap();
        bytes.extend(b"PK\x01\x02");
        bytes.extend([0; 24]);
        bytes.extend(length);
        bytes.extend([0; 16]);
        bytes.extend(name.as_bytes());
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 12]);
        bytes.extend(start.to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    #[test]
    fn an_app_is_an_archive_with_a_manifest() {
        assert_eq!(FileKind::of(&archive("AndroidManifest.xml")), Ok(FileKind::Apk));
        assert_eq!(FileKind::of(&archive("readme.txt")), Err("unknown"));
        let whole = archive("AndroidManifest.xml");
        for length in 0..whole.len() {
            let _ = FileKind::of(&whole[..length]);
        }
        assert_eq!(FileKind::of(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), Err("unknown"));
    }
}
