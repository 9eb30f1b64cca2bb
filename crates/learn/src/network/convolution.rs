//! 3×3 convolutions over a board padded with a border of zeros, cells × channels.
//!
//! **Idea.** A tile of six cells (AVX-512) or three, times four vectors of output channels, stays
//! in registers while all nine taps and all input channels are added. Each step loads four vectors
//! of weights and broadcasts one input per cell for 24 or 12 fused multiply-adds, so the arithmetic
//! units are the limit. The kernel is written once over a vector type; AVX-512, AVX2 with FMA, or
//! portable code is chosen at run time.
//!
//! The order of additions is the same for all vector types, and so are the results, except that
//! portable code rounds products before it adds them.

/// Output channels are padded to a multiple of this: four vectors of 16.
const GROUP: usize = 64;

/// The weights of a convolution.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Filter {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// Padded to whole groups.
    padded: usize,
    /// [group][tap][input][GROUP]
    weights: Vec<f32>,
}

impl Filter {
    /// From weights [3, 3, in, out].
    pub(super) fn new(inputs: usize, outputs: usize, given: &[f32]) -> Filter {
        let groups = outputs.div_ceil(GROUP);
        let mut weights = vec![0.0; groups * 9 * inputs * GROUP];
        for tap in 0..9 {
            for input in 0..inputs {
                for output in 0..outputs {
                    let (group, lane) = (output / GROUP, output % GROUP);
                    weights[((group * 9 + tap) * inputs + input) * GROUP + lane] =
                        given[(tap * inputs + input) * outputs + output];
                }
            }
        }
        Filter { inputs, outputs, padded: groups * GROUP, weights }
    }
}

/// The instructions a convolution uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    /// Vectors of 16.
    Avx512,
    /// Vectors of 8.
    Avx2,
    /// Portable arithmetic.
    Portable,
}

impl Instructions {
    /// The best that this processor supports.
    #[must_use]
    pub fn best() -> Instructions {
        Instructions::all()[0]
    }

    /// Numbers that one instruction computes.
    #[must_use]
    pub const fn lanes(self) -> u32 {
        match self {
            Instructions::Avx512 => 16,
            Instructions::Avx2 => 8,
            Instructions::Portable => 1,
        }
    }

    /// All that this processor supports, the best first.
    #[must_use]
    pub fn all() -> Vec<Instructions> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                found.push(Instructions::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                found.push(Instructions::Avx2);
            }
        }
        found.push(Instructions::Portable);
        found
    }
}

/// Four vectors of accumulators make a slice of a group; LANES × 4 divides GROUP.
#[allow(unsafe_code)]
trait Vector: Copy {
    const LANES: usize;
    /// # Safety
    /// The processor supports the instructions.
    unsafe fn zero() -> Self;
    /// # Safety
    /// The processor supports the instructions, and `LANES` numbers lie at `from`.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// The processor supports the instructions, and there is room for `LANES` numbers at `to`.
    unsafe fn store(self, to: *mut f32);
    /// self + weights · input.
    ///
    /// # Safety
    /// The processor supports the instructions.
    unsafe fn add(self, weights: Self, input: f32) -> Self;
}

#[derive(Clone, Copy)]
struct Plain([f32; 8]);

#[allow(unsafe_code)]
impl Vector for Plain {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn zero() -> Plain {
        Plain([0.0; 8])
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Plain {
        // SAFETY: the caller promises eight numbers; an array of numbers has their alignment.
        Plain(unsafe { from.cast::<[f32; 8]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller promises room for eight numbers.
        unsafe { to.cast::<[f32; 8]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn add(mut self, weights: Plain, input: f32) -> Plain {
        for lane in 0..8 {
            self.0[lane] += weights.0[lane] * input;
        }
        self
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::Vector;
    use std::arch::x86_64::{
        __m256, __m512, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
    };

    impl Vector for __m256 {
        const LANES: usize = 8;

        #[inline(always)]
        unsafe fn zero() -> __m256 {
            // SAFETY: the caller promises AVX2.
            unsafe { _mm256_setzero_ps() }
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> __m256 {
            // SAFETY: the caller promises AVX2 and eight numbers; no alignment is needed.
            unsafe { _mm256_loadu_ps(from) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: the caller promises AVX2 and room; no alignment is needed.
            unsafe { _mm256_storeu_ps(to, self) }
        }

        #[inline(always)]
        unsafe fn add(self, weights: __m256, input: f32) -> __m256 {
            // SAFETY: the caller promises AVX2 and FMA.
            unsafe { _mm256_fmadd_ps(weights, _mm256_set1_ps(input), self) }
        }
    }

    impl Vector for __m512 {
        const LANES: usize = 16;

        #[inline(always)]
        unsafe fn zero() -> __m512 {
            // SAFETY: the caller promises AVX-512.
            unsafe { _mm512_setzero_ps() }
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> __m512 {
            // SAFETY: the caller promises AVX-512 and sixteen numbers; no alignment is needed.
            unsafe { _mm512_loadu_ps(from) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: the caller promises AVX-512 and room; no alignment is needed.
            unsafe { _mm512_storeu_ps(to, self) }
        }

        #[inline(always)]
        unsafe fn add(self, weights: __m512, input: f32) -> __m512 {
            // SAFETY: the caller promises AVX-512.
            unsafe { _mm512_fmadd_ps(weights, _mm512_set1_ps(input), self) }
        }
    }
}

/// `TILE` cells and four vectors of output channels.
///
/// # Safety
/// The processor supports V's instructions. Each of `cells` points to the first channel of the
/// upper left neighbour of a cell, in a board with `stride` cells per row and `inputs` channels per
/// cell in which the 3 × 3 cells from there on exist. `weights` points to the weights of the first
/// tap and input; the next are GROUP numbers further on, for 9 taps × `inputs`. `output` points to
/// room for `padded` numbers per cell.
#[allow(unsafe_code)]
#[inline(always)]
unsafe fn tile<V: Vector, const TILE: usize>(
    (cells, stride, inputs): ([*const f32; TILE], usize, usize),
    mut weights: *const f32,
    (output, padded): (*mut f32, usize),
) {
    // SAFETY: all offsets stay within what the caller promises.
    unsafe {
        let mut sums = [[V::zero(); 4]; TILE];
        for row in 0..3 {
            let cells = cells.map(|cell| cell.add(row * stride * inputs));
            // Three neighbouring cells of a row lie side by side: 3 × inputs numbers.
            for at in 0..3 * inputs {
                let taps: [V; 4] = [
                    V::load(weights),
                    V::load(weights.add(V::LANES)),
                    V::load(weights.add(2 * V::LANES)),
                    V::load(weights.add(3 * V::LANES)),
                ];
                for (cell, sums) in cells.iter().zip(&mut sums) {
                    let value = *cell.add(at);
                    for (sum, tap) in sums.iter_mut().zip(taps) {
                        *sum = sum.add(tap, value);
                    }
                }
                weights = weights.add(GROUP);
            }
        }
        for (cell, sums) in sums.into_iter().enumerate() {
            for (number, sum) in sums.into_iter().enumerate() {
                sum.store(output.add(cell * padded + number * V::LANES));
            }
        }
    }
}

/// # Safety
/// The processor supports V's instructions; `input` and `output` have the lengths that
/// [`Filter::convolve`] checks.
#[allow(unsafe_code)]
#[inline(always)]
unsafe fn convolve_with<V: Vector>(filter: &Filter, rows: usize, columns: usize, input: &[f32], output: &mut [f32]) {
    let (stride, inputs, padded) = (columns + 2, filter.inputs, filter.padded);
    let count = rows * columns;
    for group in 0..padded / GROUP {
        for part in 0..GROUP / (4 * V::LANES) {
            let first = part * 4 * V::LANES;
            let weights = filter.weights[group * 9 * inputs * GROUP + first..].as_ptr();
            let corner = |cell: usize| input[(cell / columns * stride + cell % columns) * inputs..].as_ptr();
            let mut cell = 0;
            while cell < count {
                let to = output[cell * padded + group * GROUP + first..].as_mut_ptr();
                // SAFETY: the tile's cells are cells of the board, which has a border of one cell
                // around `rows` × `columns`, so the 3 × 3 cells from each one's upper left
                // neighbour on exist. Weights: [group][tap][input][GROUP].
                unsafe {
                    // 32 registers of AVX-512 hold 24 sums, the 16 of AVX2 hold 12.
                    if V::LANES == 16 && count - cell >= 6 {
                        let corners = std::array::from_fn(|number| corner(cell + number));
                        tile::<V, 6>((corners, stride, inputs), weights, (to, padded));
                        cell += 6;
                    } else if count - cell >= 3 {
                        let corners = std::array::from_fn(|number| corner(cell + number));
                        tile::<V, 3>((corners, stride, inputs), weights, (to, padded));
                        cell += 3;
                    } else {
                        tile::<V, 1>(([corner(cell)], stride, inputs), weights, (to, padded));
                        cell += 1;
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512f")]
fn convolve_avx512(filter: &Filter, rows: usize, columns: usize, input: &[f32], output: &mut [f32]) {
    // SAFETY: this function is called only if the processor supports AVX-512; lengths are checked
    // before.
    unsafe { convolve_with::<std::arch::x86_64::__m512>(filter, rows, columns, input, output) }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2,fma")]
fn convolve_avx2(filter: &Filter, rows: usize, columns: usize, input: &[f32], output: &mut [f32]) {
    // SAFETY: this function is called only if the processor supports AVX2 and FMA; lengths are
    // checked before.
    unsafe { convolve_with::<std::arch::x86_64::__m256>(filter, rows, columns, input, output) }
}

impl Filter {
    /// Numbers per cell in the output of [`convolve`](Filter::convolve): the padded channels.
    pub(super) fn pitch(&self) -> usize {
        self.padded
    }

    /// Convolves a padded board, (rows + 2) × (columns + 2) cells × inputs, into rows × columns
    /// cells × `pitch`.
    ///
    /// # Panics
    /// If the slices have other lengths.
    #[allow(unsafe_code)]
    pub(super) fn convolve(
        &self,
        instructions: Instructions,
        (rows, columns): (usize, usize),
        input: &[f32],
        output: &mut [f32],
    ) {
        assert_eq!(input.len(), (rows + 2) * (columns + 2) * self.inputs, "a padded board");
        assert_eq!(output.len(), rows * columns * self.padded, "room for the board");
        assert_eq!(self.weights.len(), self.padded * 9 * self.inputs, "all weights");
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                assert!(is_x86_feature_detected!("avx512f"), "this processor has no AVX-512");
                // SAFETY: just checked; so were the lengths.
                unsafe { convolve_avx512(self, rows, columns, input, output) }
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => {
                let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
                assert!(found, "this processor has no AVX2 with FMA");
                // SAFETY: just checked; so were the lengths.
                unsafe { convolve_avx2(self, rows, columns, input, output) }
            }
            // SAFETY: plain arithmetic needs nothing of the processor; the lengths were checked.
            _ => unsafe { convolve_with::<Plain>(self, rows, columns, input, output) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Filter, Instructions};
    use tesuji_core::{Rng, Seed};

    /// By definition, in double precision.
    fn slow(filter: (usize, usize, &[f32]), (rows, columns): (usize, usize), input: &[f32]) -> Vec<f64> {
        let (inputs, outputs, weights) = filter;
        let mut output = vec![0.0; rows * columns * outputs];
        for cell in 0..rows * columns {
            for tap in 0..9 {
                let at = (cell / columns + tap / 3) * (columns + 2) + cell % columns + tap % 3;
                for from in 0..inputs {
                    for to in 0..outputs {
                        output[cell * outputs + to] += f64::from(input[at * inputs + from])
                            * f64::from(weights[(tap * inputs + from) * outputs + to]);
                    }
                }
            }
        }
        output
    }

    #[test]
    fn all_instructions_agree_with_the_definition() {
        let mut rng = Rng::new(Seed(1));
        for (inputs, outputs, rows, columns) in
            [(8, 64, 9, 9), (64, 64, 9, 9), (3, 16, 3, 3), (5, 70, 4, 5), (2, 1, 1, 1)]
        {
            let weights: Vec<f32> = (0..9 * inputs * outputs).map(|_| rng.unit() as f32 - 0.5).collect();
            let mut input = vec![0.0; (rows + 2) * (columns + 2) * inputs];
            for value in &mut input {
                *value = rng.unit() as f32 - 0.5;
            }
            let expected = slow((inputs, outputs, &weights), (rows, columns), &input);
            let filter = Filter::new(inputs, outputs, &weights);
            for instructions in Instructions::all() {
                let mut output = vec![f32::NAN; rows * columns * filter.pitch()];
                filter.convolve(instructions, (rows, columns), &input, &mut output);
                for cell in 0..rows * columns {
                    for channel in 0..outputs {
                        let found = f64::from(output[cell * filter.pitch() + channel]);
                        let wanted = expected[cell * outputs + channel];
                        assert!((found - wanted).abs() < 1e-4, "{instructions:?}: {found} instead of {wanted}");
                    }
                }
            }
        }
    }
}
