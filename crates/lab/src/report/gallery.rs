//! The report as a page of a gallery: Markdown with its pictures as files beside it, for a repository.

use super::Page;

/// A page and its pictures.
pub struct GalleryPage {
    /// The page.
    pub markdown: String,
    /// The pictures: where they lie, seen from the page, and what is in them.
    pub pictures: Vec<(String, String)>,
}

impl Page {
    /// As a page of a gallery.
    #[must_use]
    pub fn gallery(&self) -> GalleryPage {
        let address = |number: usize| format!("pictures/{}-{}.svg", self.id, number + 1);
        let pictures: Vec<(String, String)> = self
            .findings
            .figures
            .iter()
            .enumerate()
            .map(|(number, figure)| (address(number), figure.file.clone()))
            .collect();
        let addresses: Vec<String> = pictures.iter().map(|(address, _)| address.clone()).collect();
        GalleryPage { markdown: self.markdown_with(&addresses), pictures }
    }
}
