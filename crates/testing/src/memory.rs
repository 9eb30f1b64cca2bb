//! An allocator that counts what is held, by the thread of a test and by the whole process.
//!
//! A test binary installs it with `#[global_allocator] static ALLOCATOR:
//! tesuji_testing::memory::Counting = tesuji_testing::memory::Counting;`. Counts of a thread are
//! right while other tests run beside it. Counts of the process are not: tests that use them hold a
//! lock, in a binary of their own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// In bytes.
pub const MEGABYTE: i64 = 1 << 20;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

static PROCESS_HELD: AtomicUsize = AtomicUsize::new(0);
static PROCESS_PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with counters.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

fn add(bytes: usize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes as i64);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
    PROCESS_PEAK.fetch_max(PROCESS_HELD.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

fn subtract(bytes: usize) {
    let _ = HELD.try_with(|held| held.set(held.get() - bytes as i64));
    PROCESS_HELD.fetch_sub(bytes, Relaxed);
}

#[allow(unsafe_code)]
// SAFETY: hands every call to the system's allocator unchanged; the counters allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promise is the one that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: `pointer` came from `System` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        subtract(layout.size());
        // SAFETY: `pointer` came from `System` with this layout, and the size is the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The most bytes that this thread holds at a time while something runs, above what it held before.
pub fn peak_of(run: impl FnOnce()) -> i64 {
    let before = HELD.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    run();
    PEAK.with(Cell::get) - before
}

/// How often this thread has allocated memory.
#[must_use]
pub fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

/// The bytes that the process holds; from here on [`process_peak`] counts again.
pub fn restart_process_peak() -> usize {
    let held = PROCESS_HELD.load(Relaxed);
    PROCESS_PEAK.store(held, Relaxed);
    held
}

/// The most bytes that the process has held since [`restart_process_peak`].
#[must_use]
pub fn process_peak() -> usize {
    PROCESS_PEAK.load(Relaxed)
}
