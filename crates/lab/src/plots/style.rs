//! The colours of both themes as CSS.
//!
//! Light is the default; dark follows the system, or `data-theme` on the root element. The names
//! and values are the design's tokens. Violet is attention (our results, visits), orange to blue is
//! value; all else is neutral.

/// The style sheet of all pictures. [`Svg::file`](super::Svg::file) includes it; a page with several
/// pictures includes it once.
pub const STYLE: &str = concat!(
    ".tesuji-plot{",
    include_str!("light.css"),
    "}\n@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .tesuji-plot{",
    include_str!("dark.css"),
    "}}\n:root[data-theme=dark] .tesuji-plot{",
    include_str!("dark.css"),
    "}\n",
    include_str!("rules.css"),
);

#[cfg(test)]
mod tests {
    use super::STYLE;
    use std::collections::BTreeMap;

    fn variables(text: &'static str) -> BTreeMap<&'static str, &'static str> {
        text.split(';').filter_map(|part| part.trim().split_once(':')).collect()
    }

    /// Relative luminance and contrast as WCAG 2.2 defines them.
    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |colour: &str| {
            let part = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour")) / 255.0;
            let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
            0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_every_colour() {
        for theme in [include_str!("light.css"), include_str!("dark.css")] {
            let found = variables(theme);
            for (ground, steps) in [("--value-", 11), ("--visit-", 7)] {
                for step in 0..steps {
                    let colour = found[format!("{ground}{step}").as_str()];
                    let ink = found[format!("--on-{}{step}", &ground[2..]).as_str()];
                    assert!(contrast(colour, ink) >= 4.5, "{ground}{step}: {}", contrast(colour, ink));
                }
            }
            for ink in ["--ink", "--ink-2", "--ink-3", "--accent"] {
                assert!(contrast(found[ink], found["--surface"]) >= 4.5, "{ink}");
            }
        }
    }

    /// Every variable that a rule uses is defined in both themes.
    #[test]
    fn both_themes_define_what_the_rules_use() {
        let themes = [include_str!("light.css"), include_str!("dark.css")].map(variables);
        assert!(themes[0].keys().eq(themes[1].keys()), "the themes have the same variables");
        let used: Vec<&str> = STYLE.split("var(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(used.len() > 20);
        for name in used {
            assert!(themes[0].contains_key(name), "{name}");
        }
    }
}
