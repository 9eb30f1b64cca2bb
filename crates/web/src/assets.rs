//! The built front end, which the program carries.

/// Names and contents, from `build.rs`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A file of the front end.
pub(crate) struct Asset {
    pub bytes: &'static [u8],
    pub content_type: &'static str,
    /// Whether the bytes are compressed.
    pub gzip: bool,
    /// Whether its name changes with its content.
    pub immutable: bool,
}

fn file(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// The file of a path. Paths without an ending are views of the front end: its page decides.
pub(crate) fn find(path: &str, takes_gzip: bool) -> Option<Asset> {
    let name = path.trim_start_matches('/');
    let is_view = name.rsplit('/').next().is_none_or(|last| !last.contains('.'));
    let name = if is_view { "index.html" } else { name };
    let compressed = if takes_gzip { file(&format!("{name}.gz")) } else { None };
    let bytes = compressed.or_else(|| file(name))?;
    Some(Asset {
        bytes,
        content_type: content_type(name),
        gzip: compressed.is_some(),
        immutable: name.starts_with("assets/"),
    })
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn only_what_is_listed_is_found() {
        for path in ["/../Cargo.toml", "/assets/../build.rs", "/nothing.js", "//etc/passwd.txt", "/index.html/../x.y"] {
            assert!(find(path, false).is_none(), "{path}");
        }
    }
}
