//! How much memory a search may have on this machine.
//!
//! Clients name a limit, often far beyond what the machine has. A limit is an upper bound, so it is
//! reduced to seven eighths of what the system can spare (`MemAvailable` of `/proc/meminfo`, where
//! that file exists), and halved until an allocation of the size succeeds. The allocation is not
//! written to, so the check costs nothing.

/// The least memory of a search.
const LEAST: u64 = 1 << 20;

/// What the machine can spare, of a text like `/proc/meminfo`.
fn spare(text: &str) -> Option<u64> {
    let line =
        ["MemAvailable:", "MemTotal:"].iter().find_map(|name| text.lines().find_map(|line| line.strip_prefix(name)));
    let kilobytes: u64 = line?.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let bytes = kilobytes.saturating_mul(1024);
    Some(bytes - bytes / 8)
}

fn is_given(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// The largest number of bytes up to this one that the system gives.
pub(super) fn obtainable(bytes: u64) -> u64 {
    let spare = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| spare(&text));
    let mut bytes = bytes.min(spare.unwrap_or(u64::MAX));
    while bytes > LEAST && !is_given(bytes) {
        bytes /= 2;
    }
    bytes.max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::{LEAST, is_given, obtainable, spare};

    #[test]
    fn a_limit_is_an_upper_bound() {
        assert_eq!(obtainable(0), LEAST);
        assert_eq!(obtainable(LEAST + 1), LEAST + 1);
        for wish in [1 << 50, u64::MAX / 4 * 3, u64::MAX] {
            let given = obtainable(wish);
            assert!((LEAST..1 << 50).contains(&given) && is_given(given), "{wish}: {given}");
        }
    }

    #[test]
    fn the_spare_memory_is_read() {
        let text = "MemTotal:       24684492 kB\nMemFree: 1 kB\nMemAvailable:       8 kB\n";
        assert_eq!(spare(text), Some(7 * 1024));
        assert_eq!(spare("MemTotal: 16 kB\n"), Some(14 * 1024));
        for text in ["", "MemTotal: much", "MemTotal: 5", "MemFree: 5 kB"] {
            assert_eq!(spare(text), None, "{text}");
        }
    }
}
