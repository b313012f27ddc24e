//! The letters and digits of captcha pictures, as pen strokes drawn for this purpose. Characters
//! that look alike (O and 0, I and 1, S and 5, B and 8, Z and 2, G and 6, U and V, D and Q) are
//! left out.

/// A point in the box of a glyph: x from 0 to its width, y from 0 (top) to 1.
pub(super) type Point = (f32, f32);

/// A pen stroke.
pub(super) enum Stroke {
    /// A polyline.
    Lines(&'static [Point]),
    /// An elliptic arc: center, radii, and start and end angle in degrees, clockwise from the
    /// right.
    Arc(Point, Point, f32, f32),
}

/// A character, its width and its strokes.
pub(super) struct Glyph {
    pub(super) letter: char,
    pub(super) width: f32,
    pub(super) strokes: &'static [Stroke],
}

use Stroke::{Arc, Lines};

const fn glyph(letter: char, width: f32, strokes: &'static [Stroke]) -> Glyph {
    Glyph { letter, width, strokes }
}

/// All characters that a captcha can contain.
pub(super) const GLYPHS: &[Glyph] = &[
    glyph(
        'A',
        0.72,
        &[Lines(&[(0.0, 1.0), (0.36, 0.0), (0.72, 1.0)]), Lines(&[(0.13, 0.66), (0.59, 0.66)])],
    ),
    glyph('C', 0.66, &[Arc((0.40, 0.5), (0.40, 0.5), 50.0, 310.0)]),
    glyph(
        'E',
        0.54,
        &[
            Lines(&[(0.54, 0.0), (0.0, 0.0), (0.0, 1.0), (0.54, 1.0)]),
            Lines(&[(0.0, 0.48), (0.46, 0.48)]),
        ],
    ),
    glyph(
        'F',
        0.54,
        &[Lines(&[(0.54, 0.0), (0.0, 0.0), (0.0, 1.0)]), Lines(&[(0.0, 0.48), (0.44, 0.48)])],
    ),
    glyph(
        'H',
        0.62,
        &[
            Lines(&[(0.0, 0.0), (0.0, 1.0)]),
            Lines(&[(0.62, 0.0), (0.62, 1.0)]),
            Lines(&[(0.0, 0.48), (0.62, 0.48)]),
        ],
    ),
    glyph(
        'J',
        0.50,
        &[
            Lines(&[(0.14, 0.0), (0.50, 0.0), (0.50, 0.74)]),
            Arc((0.25, 0.74), (0.25, 0.26), 0.0, 170.0),
        ],
    ),
    glyph(
        'K',
        0.60,
        &[
            Lines(&[(0.0, 0.0), (0.0, 1.0)]),
            Lines(&[(0.58, 0.0), (0.0, 0.60)]),
            Lines(&[(0.20, 0.40), (0.60, 1.0)]),
        ],
    ),
    glyph('L', 0.50, &[Lines(&[(0.0, 0.0), (0.0, 1.0), (0.50, 1.0)])]),
    glyph('M', 0.80, &[Lines(&[(0.0, 1.0), (0.0, 0.0), (0.40, 0.66), (0.80, 0.0), (0.80, 1.0)])]),
    glyph('N', 0.62, &[Lines(&[(0.0, 1.0), (0.0, 0.0), (0.62, 1.0), (0.62, 0.0)])]),
    glyph(
        'P',
        0.56,
        &[
            Lines(&[(0.28, 0.0), (0.0, 0.0), (0.0, 1.0)]),
            Arc((0.28, 0.28), (0.28, 0.28), 270.0, 450.0),
            Lines(&[(0.28, 0.56), (0.0, 0.56)]),
        ],
    ),
    glyph(
        'R',
        0.58,
        &[
            Lines(&[(0.28, 0.0), (0.0, 0.0), (0.0, 1.0)]),
            Arc((0.28, 0.27), (0.28, 0.27), 270.0, 450.0),
            Lines(&[(0.28, 0.54), (0.0, 0.54)]),
            Lines(&[(0.26, 0.54), (0.58, 1.0)]),
        ],
    ),
    glyph('T', 0.64, &[Lines(&[(0.0, 0.0), (0.64, 0.0)]), Lines(&[(0.32, 0.0), (0.32, 1.0)])]),
    glyph('W', 0.90, &[Lines(&[(0.0, 0.0), (0.22, 1.0), (0.45, 0.30), (0.68, 1.0), (0.90, 0.0)])]),
    glyph('X', 0.64, &[Lines(&[(0.0, 0.0), (0.64, 1.0)]), Lines(&[(0.64, 0.0), (0.0, 1.0)])]),
    glyph(
        'Y',
        0.66,
        &[Lines(&[(0.0, 0.0), (0.33, 0.50), (0.66, 0.0)]), Lines(&[(0.33, 0.50), (0.33, 1.0)])],
    ),
    glyph(
        '3',
        0.52,
        &[
            Arc((0.24, 0.25), (0.25, 0.25), 200.0, 450.0),
            Arc((0.24, 0.74), (0.28, 0.26), 270.0, 520.0),
        ],
    ),
    glyph('4', 0.60, &[Lines(&[(0.44, 1.0), (0.44, 0.0), (0.0, 0.68), (0.60, 0.68)])]),
    glyph('7', 0.56, &[Lines(&[(0.0, 0.0), (0.56, 0.0), (0.18, 1.0)])]),
    glyph(
        '9',
        0.54,
        &[
            Arc((0.27, 0.29), (0.27, 0.29), 0.0, 360.0),
            Lines(&[(0.54, 0.29), (0.48, 0.66), (0.26, 1.0)]),
        ],
    ),
];
