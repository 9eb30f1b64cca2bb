//! Memory for tables much larger than the processor's caches: zeroed, not touched until it is used.
//!
//! **Huge pages.** A table of many megabytes is accessed at random; with pages of 4 KB nearly every
//! access misses the TLB. Linux provides pages of 2 MB on request (`MADV_HUGEPAGE`). The request
//! changes the time only; if it is refused, nothing happens. Proof-number search gains a tenth.
//! Alpha-beta gains nothing, and the Monte-Carlo arena, which fills from one end, loses, so these
//! do not request them.
//!
//! **Prefetching.** A search that knows early which line it needs prefetches it and continues;
//! proof-number search gains a quarter.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

/// Words in a cache line.
pub(crate) const LINE: usize = 8;
/// Words in a page.
const PAGE: usize = 512;
/// Words in a huge page.
const LARGE: usize = 512 * PAGE;

/// Words shared by threads, all 0 at first, aligned to a cache line, to a page if they fill one,
/// and to a huge page if they fill one.
///
/// The alignment is not that of the type, because only memory of the default alignment comes from
/// the system as zeros without being touched.
pub(crate) struct Words {
    memory: Box<[AtomicU64]>,
    first: usize,
    length: usize,
}

impl Words {
    /// `length` words; nothing if the system refuses.
    pub(crate) fn new(length: usize) -> Option<Words> {
        let begin = [LINE, PAGE, LARGE].into_iter().rfind(|size| *size <= length).unwrap_or(LINE);
        let memory: Box<[AtomicU64]> = bytemuck::try_zeroed_slice_box(length.checked_add(begin - 1)?).ok()?;
        let first = (memory.as_ptr().addr().next_multiple_of(8 * begin) - memory.as_ptr().addr()) / 8;
        Some(Words { memory, first, length })
    }

    /// The same, in huge pages where the system has them.
    #[cfg_attr(target_os = "linux", allow(unsafe_code))]
    pub(crate) fn in_large_pages(length: usize) -> Option<Words> {
        let words = Words::new(length)?;
        #[cfg(target_os = "linux")]
        if length >= LARGE {
            // Whole pages only: a partial one would take more memory than the words need.
            let bytes = length / LARGE * LARGE * 8;
            // SAFETY: the range lies within the words, which this value owns. MADV_HUGEPAGE is a
            // hint about the size of pages; it changes neither their contents nor their protection.
            // If it fails, nothing has changed.
            let _ = unsafe { libc::madvise(words.as_ptr().cast_mut().cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        Some(words)
    }

    /// The words of a cache line.
    #[inline]
    pub(crate) fn line(&self, number: usize) -> &[AtomicU64; LINE] {
        &self.as_chunks().0[number]
    }

    /// Prefetches a cache line.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
    pub(crate) fn prefetch(&self, number: usize) {
        let line = self.line(number);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 processor has SSE; a prefetch reads nothing, and the line exists.
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
    fn words_are_zero_and_aligned() {
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
