//! The captcha picture: five glyphs, each tilted and sized at random, along a wave.

use super::below;
use super::glyphs::{GLYPHS, Glyph, Point, Stroke};

const WIDTH: u16 = 264;
const HEIGHT: u16 = 80;
const LETTERS: usize = 5;

/// The width of a glyph cell in pixels: enough for two wide, tilted glyphs side by side.
const CELL: f32 = 48.0;
const MARGIN: f32 = 12.0;

const PAPER: [f32; 3] = [244.0, 241.0, 233.0];
/// Ink colors with good contrast to the background.
const INKS: [[f32; 3]; 4] =
    [[22.0, 64.0, 92.0], [112.0, 38.0, 70.0], [38.0, 84.0, 52.0], [96.0, 58.0, 20.0]];

/// Draws a random text of five characters and returns it with its PNG.
pub(super) fn draw() -> Result<(String, Vec<u8>), png::EncodingError> {
    let glyphs: Vec<&Glyph> = (0..LETTERS).map(|_| &GLYPHS[below(GLYPHS.len())]).collect();
    let mut canvas = Canvas::new();
    canvas.speckle();
    let wave = Wave::new();
    for (position, glyph) in (0u8..).zip(&glyphs) {
        canvas.glyph(glyph, MARGIN + CELL * f32::from(position), &wave);
    }
    for _ in 0..2 {
        canvas.hairline();
    }
    let text = glyphs.iter().map(|glyph| glyph.letter).collect();
    Ok((text, canvas.encode()?))
}

/// A random number between two bounds.
fn between(least: f32, most: f32) -> f32 {
    let step = u16::try_from(below(10_001)).unwrap_or(0);
    least + (most - least) * f32::from(step) / 10_000.0
}

/// Bends the line of text gently, so that no glyph looks the same in two pictures.
struct Wave {
    height: f32,
    length: f32,
    phase: f32,
}

impl Wave {
    fn new() -> Self {
        Self {
            height: between(1.5, 3.0),
            length: between(70.0, 110.0),
            phase: between(0.0, std::f32::consts::TAU),
        }
    }

    fn bend(&self, (x, y): Point) -> Point {
        let swing = |along: f32| (along / self.length * std::f32::consts::TAU + self.phase).sin();
        (x + self.height * 0.5 * swing(y * 2.0), y + self.height * swing(x))
    }
}

struct Canvas {
    /// Red, green and blue of every pixel, row by row.
    pixels: Vec<[f32; 3]>,
}

impl Canvas {
    fn new() -> Self {
        Self { pixels: vec![PAPER; usize::from(WIDTH) * usize::from(HEIGHT)] }
    }

    fn glyph(&mut self, glyph: &Glyph, left: f32, wave: &Wave) {
        let ink = INKS[below(INKS.len())];
        let height = between(40.0, 48.0);
        let (sin, cos) = between(-0.22, 0.22).sin_cos();
        let middle =
            (left + CELL / 2.0 + between(-3.0, 3.0), f32::from(HEIGHT) / 2.0 + between(-5.0, 5.0));
        let transform = |(x, y): Point| {
            let (x, y) = ((x - glyph.width / 2.0) * height * 0.86, (y - 0.5) * height);
            wave.bend((middle.0 + x * cos - y * sin, middle.1 + x * sin + y * cos))
        };
        let pen = between(2.2, 2.8);
        for stroke in glyph.strokes {
            let points: Vec<Point> = trace(stroke).into_iter().map(transform).collect();
            for pair in points.windows(2) {
                self.segment(pair[0], pair[1], pen, ink);
            }
        }
    }

    /// Draws a thin line across the text. It does not disturb a human reader and makes automatic
    /// segmentation harder.
    fn hairline(&mut self) {
        let ink = INKS[below(INKS.len())];
        let (start, end) = (between(18.0, 62.0), between(18.0, 62.0));
        let bow = between(-14.0, 14.0);
        let points: Vec<Point> = (0u8..=24)
            .map(|step| {
                let part = f32::from(step) / 24.0;
                let y = start + (end - start) * part + bow * (part * std::f32::consts::PI).sin();
                (f32::from(WIDTH) * part, y)
            })
            .collect();
        for pair in points.windows(2) {
            self.segment(pair[0], pair[1], 0.6, ink);
        }
    }

    fn speckle(&mut self) {
        for _ in 0..90 {
            let at = (between(0.0, f32::from(WIDTH)), between(0.0, f32::from(HEIGHT)));
            let shade = PAPER.map(|part| part - between(25.0, 60.0));
            self.segment(at, at, between(0.5, 1.2), shade);
        }
    }

    /// Draws a line with round ends and an antialiased edge one pixel wide.
    fn segment(&mut self, from: Point, to: Point, radius: f32, ink: [f32; 3]) {
        let reach = radius + 1.0;
        let columns = span(from.0.min(to.0) - reach, from.0.max(to.0) + reach, WIDTH);
        for y in span(from.1.min(to.1) - reach, from.1.max(to.1) + reach, HEIGHT) {
            for x in columns.clone() {
                let pixel = (f32::from(x) + 0.5, f32::from(y) + 0.5);
                let cover = (radius + 0.5 - distance(pixel, from, to)).clamp(0.0, 1.0);
                let index = usize::from(y) * usize::from(WIDTH) + usize::from(x);
                for (part, ink) in self.pixels[index].iter_mut().zip(ink) {
                    // Lines that meet must not darken the shared pixels.
                    *part = part.min(*part + (ink - *part) * cover);
                }
            }
        }
    }

    fn encode(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, WIDTH.into(), HEIGHT.into());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        let data: Vec<u8> = self.pixels.iter().flatten().map(|part| to_byte(*part)).collect();
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(bytes)
    }
}

#[expect(clippy::as_conversions, reason = "no other conversion from a float to an integer")]
fn to_byte(number: f32) -> u8 {
    number.round().clamp(0.0, 255.0) as u8
}

/// The pixel range between two coordinates on an axis.
fn span(from: f32, to: f32, end: u16) -> std::ops::Range<u16> {
    let first = u16::from(to_byte(from.floor())).min(end);
    let last = u16::from(to_byte(to.ceil())).min(end);
    first..last
}

fn distance((x, y): Point, from: Point, to: Point) -> f32 {
    let along = (to.0 - from.0, to.1 - from.1);
    let squared = along.0 * along.0 + along.1 * along.1;
    let part = if squared > 0.0 {
        (((x - from.0) * along.0 + (y - from.1) * along.1) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (x - from.0 - along.0 * part).hypot(y - from.1 - along.1 * part)
}

/// The points of a stroke, close enough together that curves look round and lines can bend.
fn trace(stroke: &Stroke) -> Vec<Point> {
    match stroke {
        Stroke::Lines(points) => points
            .windows(2)
            .flat_map(|pair| {
                (0u8..=6).map(|step| {
                    let part = f32::from(step) / 6.0;
                    let (from, to) = (pair[0], pair[1]);
                    (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
                })
            })
            .collect(),
        Stroke::Arc(middle, radii, from, to) => (0u8..=24)
            .map(|step| {
                let angle = (from + (to - from) * f32::from(step) / 24.0).to_radians();
                (middle.0 + radii.0 * angle.cos(), middle.1 + radii.1 * angle.sin())
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_picture_is_a_png_with_its_text_in_ink() {
        for _ in 0..20 {
            let (text, bytes) = draw().unwrap();
            assert_eq!(text.len(), LETTERS);
            let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
            let mut data = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut data).unwrap();
            assert_eq!((info.width, info.height), (WIDTH.into(), HEIGHT.into()));
            let dark = data.chunks(3).filter(|pixel| pixel[0] < 130 && pixel[2] < 130).count();
            assert!((700..6_000).contains(&dark), "{text}: {dark} dark pixels");
        }
    }

    #[test]
    fn characters_do_not_look_alike() {
        let letters: BTreeSet<char> = GLYPHS.iter().map(|glyph| glyph.letter).collect();
        assert_eq!(letters.len(), GLYPHS.len());
        assert!(!letters.iter().any(|letter| "O0QDI1S5B8Z2G6UV".contains(*letter)));
    }
}
