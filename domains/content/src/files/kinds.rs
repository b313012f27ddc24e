//! Detection and validation of file types from the bytes of an upload.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};
use serde::Serialize;
use utoipa::ToSchema;

/// The largest image file, in bytes.
const IMAGE_BYTES: usize = 2 * 1024 * 1024;
/// The longest side of an image, in pixels.
const IMAGE_SIDE: u32 = 6_000;
/// The memory that decoding an image may use, in bytes.
const IMAGE_MEMORY: u64 = 160 * 1024 * 1024;

/// A type of file that can be uploaded.
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

    /// The extension of its name.
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

    /// Detects the type from the bytes, or gives the code of the refusal.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, &'static str> {
        let format = match image::guess_format(bytes) {
            Ok(format @ ImageFormat::Png) => Some((Self::Png, format)),
            Ok(format @ ImageFormat::Jpeg) => Some((Self::Jpg, format)),
            Ok(format @ ImageFormat::WebP) => Some((Self::Webp, format)),
            _ => None,
        };
        match format {
            Some((kind, format)) => check_image(bytes, format).map(|()| kind),
            None if is_apk(bytes) => Ok(Self::Apk),
            None => Err("unknown"),
        }
    }
}

/// Decodes the image once, so that broken images and decompression bombs are not stored.
fn check_image(bytes: &[u8], format: ImageFormat) -> Result<(), &'static str> {
    if bytes.len() > IMAGE_BYTES {
        return Err("too_large");
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(IMAGE_SIDE);
    limits.max_image_height = Some(IMAGE_SIDE);
    limits.max_alloc = Some(IMAGE_MEMORY);
    reader.limits(limits);
    reader.decode().map(drop).map_err(|_| "broken")
}

/// Whether this is a ZIP archive that contains an Android manifest.
fn is_apk(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
        && central_names(bytes)
            .is_some_and(|mut names| names.any(|name| name == b"AndroidManifest.xml"))
}

const END_OF_DIRECTORY: &[u8] = b"PK\x05\x06";
/// The length of the record at the end of a ZIP archive, and of the longest comment after it.
const END_LENGTH: usize = 22;
const COMMENT_MAX: usize = 65_535;
/// The fixed length of an entry in the central directory, before its name.
const ENTRY_LENGTH: usize = 46;

/// The file names in the central directory of a ZIP archive.
fn central_names(bytes: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let tail = bytes.len().saturating_sub(END_LENGTH + COMMENT_MAX);
    let is_end = |window: &[u8]| window == END_OF_DIRECTORY;
    let end = bytes.get(tail..)?.windows(END_OF_DIRECTORY.len()).rposition(is_end)? + tail;
    let start = usize::try_from(number(bytes, end + 16, 4)?).ok()?;
    let mut entries = bytes.get(start..end)?;
    Some(std::iter::from_fn(move || {
        if !entries.starts_with(b"PK\x01\x02") {
            return None;
        }
        let length = |at| number(entries, at, 2).and_then(|length| usize::try_from(length).ok());
        let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
        let file_name = entries.get(ENTRY_LENGTH..ENTRY_LENGTH + name)?;
        entries = entries.get(ENTRY_LENGTH + name + extra + comment..)?;
        Some(file_name)
    }))
}

/// A little-endian number.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let digits = bytes.get(at..at + length)?;
    Some(digits.iter().rev().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ZIP archive with one empty file.
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
        let complete = archive("AndroidManifest.xml");
        for length in 0..complete.len() {
            let _ = FileKind::of(&complete[..length]);
        }
        assert_eq!(FileKind::of(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), Err("unknown"));
    }
}
