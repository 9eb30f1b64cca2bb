//! Legal actions as Python lists.
//!
//! To make a list costs a call of the stable ABI for each action, to copy one a call in all. From one position
//! of a game to the next few actions become legal or cease to be: where that is so, a state keeps a list, edits
//! it where the set of legal actions has changed, and hands out copies.

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};
use tesuji_agents::AnyPosition;

/// As many actions are made anew in the time of one edit.
const EDIT: usize = 4;
/// So many are made in the time of a copy.
const COPY: usize = 8;

/// The actions that were legal when they were last asked for.
#[derive(Default)]
pub struct LegalList {
    /// Bit i % 64 of word i / 64: action i.
    set: Vec<u64>,
    /// How many they are.
    count: usize,
    scratch: Vec<u64>,
    /// The same actions, ascending; nothing if they changed much the last time.
    list: Option<Py<PyList>>,
}

impl LegalList {
    /// The legal actions of a position, all of `numbers`, ascending.
    pub fn of<'py>(
        &mut self,
        py: Python<'py>,
        position: &dyn AnyPosition,
        numbers: &[Py<PyInt>],
    ) -> PyResult<Bound<'py, PyList>> {
        let LegalList { set, count, scratch, list } = self;
        scratch.clear();
        scratch.resize(numbers.len().div_ceil(64), 0);
        position.mark_legal(scratch);
        std::mem::swap(set, scratch);
        let (new, old) = (&*set, &*scratch);
        // Most words are as they were: counting bits takes a dozen instructions.
        let mut edits = 0;
        if old.len() == new.len() {
            for (new, old) in new.iter().zip(old).filter(|(new, old)| new != old) {
                edits += (new ^ old).count_ones() as usize;
                *count = *count + new.count_ones() as usize - old.count_ones() as usize;
            }
        } else {
            *count = new.iter().map(|word| word.count_ones() as usize).sum();
            edits = *count;
        }
        if EDIT * edits + COPY > *count {
            *list = None;
            return made(py, new, numbers);
        }
        let kept = match list {
            Some(kept) => {
                let kept = kept.bind(py);
                edit(kept, old, new, numbers)?;
                kept.clone()
            }
            None => {
                let kept = made(py, new, numbers)?;
                *list = Some(kept.clone().unbind());
                kept
            }
        };
        Ok(kept.get_slice(0, *count))
    }
}

/// A list of these actions.
fn made<'py>(py: Python<'py>, set: &[u64], numbers: &[Py<PyInt>]) -> PyResult<Bound<'py, PyList>> {
    let mut actions: Vec<&Bound<'py, _>> = Vec::with_capacity(128);
    for (word, bits) in set.iter().enumerate() {
        let mut left = *bits;
        while left != 0 {
            actions.push(numbers[word * 64 + left.trailing_zeros() as usize].bind(py));
            left &= left - 1;
        }
    }
    PyList::new(py, actions)
}

/// Changes a list of the actions of one set into that of another one.
fn edit(list: &Bound<'_, PyList>, old: &[u64], set: &[u64], numbers: &[Py<PyInt>]) -> PyResult<()> {
    // Those below the word, counted when they are asked for.
    let (mut before, mut counted) = (0, 0);
    for (word, (old, new)) in old.iter().zip(set).enumerate() {
        let mut changed = old ^ new;
        if changed != 0 {
            before += set[counted..word].iter().map(|word| word.count_ones() as usize).sum::<usize>();
            counted = word;
        }
        while changed != 0 {
            let bit = changed.trailing_zeros();
            // All below the bit is as in the new set already.
            let place = before + (new & ((1 << bit) - 1)).count_ones() as usize;
            if new >> bit & 1 == 1 {
                list.insert(place, numbers[word * 64 + bit as usize].bind(list.py()))?;
            } else {
                list.del_item(place)?;
            }
            changed &= changed - 1;
        }
    }
    Ok(())
}
