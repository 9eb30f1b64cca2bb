//! Experiment files: what is compared, in which sizes, and what was published.
//!
//! ```toml
//! id = "vrun-selfplay"                      # the name of the file
//! title = "More iterations win"
//! claim = "5000 iterations beat 2000 in 98 % of games."
//! source = "V-Run 2016, §7.1"
//! kind = "match"                            # says what [setup] holds
//! seed = 1                                  # of everything random
//!
//! [setup]                                   # the keys of the kind
//! game = "go(size=9)"
//!
//! [sizes.quick]                             # what differs from [setup] in this size
//! core-hours = 0.1
//! games = 10
//! [sizes.full]
//! core-hours = 20
//!
//! [[published]]                             # a number to compare with
//! measure = "score: 5000 – 2000"            # as the report of the kind names it
//! value = 0.98
//! trials = 50
//! ```
//!
//! A size overrides `[setup]` key by key. Tables are merged; lists of tables are merged by their
//! `name`; everything else is replaced. Nothing runs before both sizes have been read and checked: an
//! unknown key, an agent that does not exist or a negative number is a [`Problem`] with its place.

use super::job::Planned;
use super::problem::{FileProblem, Problem};
use crate::kinds::{self, Design};
use crate::report::Findings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tesuji_agents::Access;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The hash of an experiment's text, as pages and kept lines state it. Lines with estimated core-hours
/// are left out: they say nothing of what is run, and are corrected when it has been.
#[must_use]
pub fn fingerprint(text: &str) -> String {
    let is_estimate = |line: &str| line.trim_start().starts_with("core-hours");
    let kept: String = text.split_inclusive('\n').filter(|line| !is_estimate(line)).collect();
    format!("FNV-1a {:032x}", crate::tasks::fnv1a(kept.as_bytes()))
}

/// The two sizes of every experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// Minutes on two cores.
    Quick,
    /// As published, or as large as is worth it.
    #[default]
    Full,
}

impl Size {
    /// Both.
    pub const ALL: [Size; 2] = [Size::Quick, Size::Full];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Size::Quick => "quick",
            Size::Full => "full",
        }
    }
}

/// A number that a source has published.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The measure of the report that it is compared with.
    pub measure: Spanned<String>,
    /// The number; nothing where the source gives a range only.
    #[serde(default)]
    pub value: Option<f64>,
    /// The range that the source itself gives, or a bound that follows from what it says. A tolerance
    /// of our own has no place here: the report shows it as published.
    #[serde(default)]
    pub range: Option<[f64; 2]>,
    /// The trials behind a published share, for its interval.
    #[serde(default)]
    pub trials: Option<u64>,
    /// Where it stands.
    #[serde(default)]
    pub place: Option<String>,
    /// False where ours measures something else, such as other positions in place of lost ones: the
    /// two numbers are shown, and no verdict follows.
    #[serde(default = "yes")]
    pub comparable: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    id: Spanned<String>,
    title: String,
    claim: String,
    source: String,
    kind: Spanned<String>,
    seed: Spanned<u64>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    published: Vec<Published>,
}

/// An experiment that was read and checked.
pub struct Experiment {
    /// Its name.
    pub id: String,
    /// A short name for people.
    pub title: String,
    /// What the source claims.
    pub claim: String,
    /// Which source, and where in it.
    pub source: String,
    /// The name of its kind.
    pub kind: &'static str,
    /// What readers of the report should know.
    pub note: Option<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// What the source published.
    pub published: Vec<Published>,
    /// The text it was read from.
    pub text: String,
    designs: [(Design, f64); 2],
}

/// What a kind reads: the keys of `[setup]` as one size has them.
pub struct Setup<'a> {
    table: DeTable<'a>,
    span: std::ops::Range<usize>,
    /// The seed of the experiment.
    pub seed: u64,
    /// What its specs may open and start.
    pub access: &'a Access,
}

impl Setup<'_> {
    /// The keys as a type.
    ///
    /// # Errors
    /// A key that is missing, unknown, or of the wrong type.
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        let table = Spanned::new(self.span.clone(), std::mem::take(&mut self.table));
        Ok(T::deserialize(toml::Deserializer::from(table))?)
    }

    /// A problem with the setup as a whole.
    pub fn problem(&self, what: impl std::fmt::Display) -> Problem {
        Problem { span: self.span.clone(), what: what.to_string() }
    }
}

impl Experiment {
    /// Reads and checks the text of a file of this name.
    ///
    /// # Errors
    /// The first problem, with line and column.
    pub fn read(name: &str, text: &str, access: &Access) -> Result<Experiment, FileProblem> {
        Experiment::checked(text, access).map_err(|problem| problem.in_file(name, text))
    }

    fn checked(text: &str, access: &Access) -> Result<Experiment, Problem> {
        let root = DeTable::parse(text)?;
        let (whole, mut root) = (root.span(), root.into_inner());
        let top = |what: &str| Problem { span: 0..0, what: format!("the table [{what}] is missing") };
        let setup = table_of(root.remove("setup").ok_or_else(|| top("setup"))?)?;
        let sizes = table_of(root.remove("sizes").ok_or_else(|| top("sizes"))?)?;
        let head = Head::deserialize(toml::Deserializer::from(Spanned::new(whole, root)))?;
        let is_name = |text: &str| {
            !text.is_empty()
                && text.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
        };
        if !is_name(head.id.get_ref()) {
            return Err(Problem::at(&head.id, "an id has lower-case letters, digits and hyphens"));
        }
        let kind = kinds::find(head.kind.get_ref()).ok_or_else(|| {
            let names: Vec<&str> = kinds::ALL.iter().map(|kind| kind.name).collect();
            Problem::at(&head.kind, format!("unknown kind \"{}\"; there are {}", head.kind.get_ref(), names.join(", ")))
        })?;
        let (sizes_span, mut sizes) = sizes;
        let is_size = |key: &str| Size::ALL.iter().any(|size| size.name() == key);
        if let Some(key) = sizes.keys().find(|key| !is_size(key.get_ref())) {
            return Err(Problem::at(key, format!("unknown size \"{}\"; there are quick and full", key.get_ref())));
        }
        let mut design = |size: Size| -> Result<(Design, f64), Problem> {
            let missing =
                || Problem { span: sizes_span.clone(), what: format!("the table [sizes.{}] is missing", size.name()) };
            let (span, mut own) = table_of(sizes.remove(size.name()).ok_or_else(missing)?)?;
            let hours = own.remove("core-hours").ok_or_else(|| Problem {
                span: span.clone(),
                what: "core-hours is missing: the estimated processor time of this size, in hours".into(),
            })?;
            let hours_at = hours.span();
            let hours = number_of(&hours).filter(|hours| *hours > 0.0 && hours.is_finite());
            let hours = hours.ok_or(Problem { span: hours_at, what: "core-hours must be a number above 0".into() })?;
            let (setup_span, mut merged) = setup.clone();
            merge(&mut merged, own);
            let setup = Setup { table: merged, span: setup_span, seed: *head.seed.get_ref(), access };
            Ok(((kind.read)(setup)?, hours))
        };
        let designs = [design(Size::Quick)?, design(Size::Full)?];
        for published in &head.published {
            check_published(published, &designs)?;
        }
        let Head { id, title, claim, source, note, seed, published, .. } = head;
        let (id, seed, text) = (id.into_inner(), seed.into_inner(), text.into());
        Ok(Experiment { id, title, claim, source, kind: kind.name, note, seed, published, text, designs })
    }

    fn design(&self, size: Size) -> &(Design, f64) {
        &self.designs[usize::from(size == Size::Full)]
    }

    /// The estimated processor time of a size, in hours.
    #[must_use]
    pub fn core_hours(&self, size: Size) -> f64 {
        self.design(size).1
    }

    /// The programs that a size would start, each once.
    #[must_use]
    pub fn programs(&self, size: Size) -> Vec<String> {
        self.design(size).0.programs()
    }

    /// The jobs of a size, in an order that is always the same.
    ///
    /// # Errors
    /// If two jobs are the same, or a position cannot be made.
    pub fn jobs(&self, size: Size) -> Result<Vec<Planned>, String> {
        let jobs: Vec<Planned> = self.design(size).0.jobs()?;
        let mut ids: Vec<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("two jobs are the same ({}): the setup lists something twice", pair[0])),
            None => Ok(jobs),
        }
    }

    /// What the results of a size say; each job with its line, where there is one.
    #[must_use]
    pub fn findings(&self, size: Size, results: &kinds::Results<'_>) -> Findings {
        self.design(size).0.findings(results)
    }
}

/// A published number has a measure to stand beside, in one of the sizes at least: the reports of no
/// results name all their measures.
fn check_published(published: &Published, designs: &[(Design, f64); 2]) -> Result<(), Problem> {
    let mut known = Vec::new();
    for (design, _) in designs {
        known.extend(design.findings(&kinds::Results::default()).measures.into_iter().map(|measure| measure.name));
    }
    if !known.contains(published.measure.get_ref()) {
        known.dedup();
        let shown: Vec<String> = known.iter().take(8).map(|name| format!("\"{name}\"")).collect();
        let what = format!("no measure \"{}\"; there are {}", published.measure.get_ref(), shown.join(", "));
        return Err(Problem::at(&published.measure, what));
    }
    let Published { value, range, trials, .. } = published;
    let finite = value.is_none_or(f64::is_finite) && range.is_none_or(|[low, high]| low <= high);
    let inside = value.is_none_or(|value| range.is_none_or(|[low, high]| (low..=high).contains(&value)));
    if value.is_none() && range.is_none() || !finite || !inside || *trials == Some(0) {
        let what = "a value or a range is needed, finite and in order, the value in the range; trials are at least 1";
        return Err(Problem::at(&published.measure, what));
    }
    Ok(())
}

type Table<'a> = (std::ops::Range<usize>, DeTable<'a>);

fn table_of(value: Spanned<DeValue<'_>>) -> Result<Table<'_>, Problem> {
    let span = value.span();
    match value.into_inner() {
        DeValue::Table(table) => Ok((span, table)),
        _ => Err(Problem { span, what: "expected a table".into() }),
    }
}

fn number_of(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number as f64)
        }
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// Puts the keys of `over` into `base`. Files nest as deep as the parser allows.
fn merge<'a>(base: &mut DeTable<'a>, over: DeTable<'a>) {
    for (key, value) in over {
        let Some(old) = base.get_mut(key.get_ref().as_ref()) else {
            base.insert(key, value);
            continue;
        };
        let span = value.span();
        match (old.get_mut(), value.into_inner()) {
            (DeValue::Table(old), DeValue::Table(new)) => merge(old, new),
            (DeValue::Array(old), DeValue::Array(new)) if has_names(old.iter()) && has_names(new.iter()) => {
                for entry in new.into_iter() {
                    let named = old.iter_mut().find(|other| name_of(other.get_ref()) == name_of(entry.get_ref()));
                    match (named.map(Spanned::get_mut), entry) {
                        (Some(DeValue::Table(old)), entry) => {
                            if let DeValue::Table(new) = entry.into_inner() {
                                merge(old, new);
                            }
                        }
                        (_, entry) => old.push(entry),
                    }
                }
            }
            (_, new) => *old = Spanned::new(span, new),
        }
    }
}

fn name_of<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    let DeValue::Table(table) = value else { return None };
    match table.get("name")?.get_ref() {
        DeValue::String(name) => Some(name),
        _ => None,
    }
}

fn has_names<'v, 'i: 'v>(values: impl Iterator<Item = &'v Spanned<DeValue<'i>>>) -> bool {
    values.map(Spanned::get_ref).all(|value| name_of(value).is_some())
}
