//! Memory for tables much larger than the caches: zeroed, untouched until it is used.
//!
//! **Large pages.** A table of many megabytes is read here and there; with pages of 4 KB nearly every read must first find out where its page
//! lies. Linux gives pages of 2 MB to those who ask. Asking changes no answer, only the time; where it is refused, nothing happens. Proof-number search gains
//! a tenth by it; alpha-beta gains nothing, and the Monte-Carlo arena, which fills from one end, loses, so these do not ask.
//!
//! **Prefetching.** Who knows early which line is wanted asks for it and goes on; proof-number search gains a quarter.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

/// Words in a cache line.
pub(crate) const LINE: usize = 8;
/// Words in a page.
const PAGE: usize = 512;
/// Words in a large page.
const LARGE: usize = 512 * PAGE;

/// Words for several threads, all 0 at first. They begin with a cache line, with a page if there are so many, and with a large page likewise.
///
/// They are not of a type with its own alignment, since only memory of the usual one comes from the system as 0 without being touched.
pub(crate) struct Words {
    memory: Box<[AtomicU64]>,
    first: usize,
    length: usize,
}

impl Words {
    /// So many words; nothing if the system refuses.
    pub(crate) fn new(length: usize) -> Option<Words> {
        let begin = [LINE, PAGE, LARGE].into_iter().rfind(|size| *size <= length).unwrap_or(LINE);
        let memory: Box<[AtomicU64]> = bytemuck::try_zeroed_slice_box(length.checked_add(begin - 1)?).ok()?;
        let first = (memory.as_ptr().addr().next_multiple_of(8 * begin) - memory.as_ptr().addr()) / 8;
        Some(Words { memory, first, length })
    }

    /// The same, in large pages where the system has them.
    #[cfg_attr(target_os = "linux", allow(unsafe_code))]
    pub(crate) fn in_large_pages(length: usize) -> Option<Words> {
        let words = Words::new(length)?;
        #[cfg(target_os = "linux")]
        if length >= LARGE {
            // Whole ones only: a half would take more memory than there are words.
            let bytes = length / LARGE * LARGE * 8;
            // SAFETY: the range begins with the words, does not go beyond them, and is ours while `words` lives. MADV_HUGEPAGE is a wish about the
            // size of pages: what they hold, and who may read or write it, stays as it is. If it fails, nothing has changed.
            let _ = unsafe { libc::madvise(words.as_ptr().cast_mut().cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        Some(words)
    }

    /// The words of a cache line.
    #[inline]
    pub(crate) fn line(&self, number: usize) -> &[AtomicU64; LINE] {
        &self.as_chunks().0[number]
    }

    /// Asks for a cache line that will be wanted soon, without waiting for it.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
    pub(crate) fn prefetch(&self, number: usize) {
        let line = self.line(number);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE; a prefetch reads nothing, and the address is that of a line we have.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        &self.memory[self.first..self.first + self.length]
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [AtomicU64] {
        &mut self.memory[self.first..self.first + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn words_are_zero_and_begin_where_they_should() {
        for (length, begin) in [(1, 64), (8, 64), (600, 4096), (1 << 18, 1 << 21), ((1 << 19) + 3, 1 << 21)] {
            let mut words = Words::in_large_pages(length).expect("little memory");
            assert_eq!((words.len(), words.as_ptr().addr() % begin), (length, 0));
            assert!(words.iter().all(|word| word.load(Relaxed) == 0));
            words.iter_mut().for_each(|word| *word.get_mut() = 1);
            assert!(length < 8 || words.line(length / 8 - 1).iter().all(|word| word.load(Relaxed) == 1));
        }
        assert!(Words::new(1 << 60).is_none() && Words::new(usize::MAX).is_none(), "more than there is");
    }
}
