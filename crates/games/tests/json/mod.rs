//! A reader for the JSON of the data files, small enough to be seen to be right.

#![allow(dead_code)] // each test file uses its own part

/// A JSON value; numbers as text.
#[derive(Clone, PartialEq, Debug)]
pub enum Json {
    Word(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads one value; the files are ours, so a mistake is a panic.
    pub fn parse(text: &str) -> Json {
        let letters: Vec<char> = text.chars().collect();
        let mut at = 0;
        let value = read(&letters, &mut at);
        skip(&letters, &mut at);
        assert_eq!(at, letters.len(), "something follows the value");
        value
    }

    /// The entry of an object.
    pub fn get(&self, name: &str) -> &Json {
        let Json::Object(entries) = self else { panic!("no object: {self:?}") };
        &entries.iter().find(|(key, _)| key == name).unwrap_or_else(|| panic!("no {name}")).1
    }

    /// The text of a text.
    pub fn text(&self) -> &str {
        let Json::Text(text) = self else { panic!("no text: {self:?}") };
        text
    }

    /// The entries of a list.
    pub fn list(&self) -> &[Json] {
        let Json::List(entries) = self else { panic!("no list: {self:?}") };
        entries
    }

    /// The texts of a list.
    pub fn texts(&self) -> Vec<&str> {
        self.list().iter().map(Json::text).collect()
    }
}

fn skip(letters: &[char], at: &mut usize) {
    while letters.get(*at).is_some_and(|letter| letter.is_whitespace()) {
        *at += 1;
    }
}

fn read(letters: &[char], at: &mut usize) -> Json {
    skip(letters, at);
    match letters[*at] {
        '"' => {
            let mut text = String::new();
            loop {
                *at += 1;
                match letters[*at] {
                    '"' => break,
                    '\\' => {
                        *at += 1;
                        text.push(match letters[*at] {
                            'n' => '\n',
                            plain @ ('"' | '\\' | '/') => plain,
                            other => panic!("the escape {other} is not used here"),
                        });
                    }
                    plain => text.push(plain),
                }
            }
            *at += 1;
            Json::Text(text)
        }
        open @ ('[' | '{') => {
            let (mut list, mut object) = (Vec::new(), Vec::new());
            *at += 1;
            loop {
                skip(letters, at);
                match letters[*at] {
                    ']' | '}' => break,
                    ',' => *at += 1,
                    _ if open == '[' => list.push(read(letters, at)),
                    _ => {
                        let Json::Text(name) = read(letters, at) else { panic!("a name is a text") };
                        skip(letters, at);
                        assert_eq!(letters[*at], ':');
                        *at += 1;
                        object.push((name, read(letters, at)));
                    }
                }
            }
            *at += 1;
            if open == '[' { Json::List(list) } else { Json::Object(object) }
        }
        _ => {
            let start = *at;
            while letters.get(*at).is_some_and(|letter| letter.is_alphanumeric() || "+-.".contains(*letter)) {
                *at += 1;
            }
            assert!(*at > start, "unexpected {:?}", letters[start]);
            Json::Word(letters[start..*at].iter().collect())
        }
    }
}

/// The text of a data file, or a loud line.
#[allow(clippy::print_stderr)]
pub fn data(name: &str) -> Option<String> {
    let path = format!("{}/../../../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: no data file {path}");
    }
    text
}

/// A share of a long test: the number in this environment variable, or a small default.
pub fn share(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}
