//! The n-th member of a set of up to 64, for random choice.

/// The position of set bit number `rank` (from 0) in each byte.
static SELECT_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

/// The index of the set bit with `rank` set bits below it; `rank` must be less than the number of
/// set bits.
///
/// Branch-free (Vigna, "Broadword implementation of rank/select queries", 2008): one multiplication
/// sums the counts of the bytes, one subtraction compares all sums with the rank, and a table finds
/// the bit in its byte.
#[inline(always)]
pub(crate) const fn select(set: u64, rank: u32) -> u32 {
    let pairs = set - ((set >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(EVERY_BYTE);
    // Byte i of `sums` counts bytes 0 to i; the bit lies in the first byte whose sum exceeds the
    // rank.
    let not_past = ((EVERY_BYTE * rank as u64) | (EVERY_BYTE << 7)).wrapping_sub(sums) & (EVERY_BYTE << 7);
    let place = (not_past >> 7).wrapping_mul(EVERY_BYTE) >> 56 << 3;
    let below = (sums << 8) >> place & 0xff;
    let byte = set >> place & 0xff;
    place as u32 + SELECT_IN_BYTE[(rank as u64 - below) as usize & 7][byte as usize] as u32
}

#[cfg(test)]
mod tests {
    use super::select;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn select_finds_every_bit() {
        let mut rng = Rng::new(Seed(2));
        for round in 0..20_000 {
            let set = if round % 2 == 0 { rng.next_u64() } else { rng.next_u64() & rng.next_u64() & rng.next_u64() };
            let bits = (0..64).filter(|bit| set >> bit & 1 == 1);
            bits.enumerate().for_each(|(rank, bit)| assert_eq!(select(set, rank as u32), bit, "{set:x}"));
        }
        (0..64).for_each(|rank| assert_eq!(select(u64::MAX, rank), rank));
    }
}
