//! The checksum of files that this project writes.

/// CRC-32 of ISO 3309, as in zip: reflected polynomial 0xedb88320.
///
/// ```
/// // The check value of the standard.
/// assert_eq!(tesuji_core::crc32(b"123456789"), 0xcbf4_3926);
/// ```
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let mut crc = index as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[index] = crc;
            index += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc: u32, byte| crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize])
}
