//! Two poles on a cart.
//!
//! Wieland (1991); constants as in Gomez & Miikkulainen (1999) and the NEAT paper: a cart of 1 kg on
//! a track of ±2.4 m, poles of 1 m and 0.1 m (0.1 kg, 0.01 kg) hinged to it, friction of the hinges
//! 2·10⁻⁶, force up to ±10 N, Runge–Kutta of fourth order with steps of 0.01 s, two for each
//! decision. A run fails beyond ±36° or the end of the track.

/// Position, speed, and for each pole its angle and angular speed.
pub type State = [f64; 6];

const GRAVITY: f64 = -9.8;
const CART: f64 = 1.0;
/// Half of the length, and mass, of each pole.
const POLES: [(f64, f64); 2] = [(0.5, 0.1), (0.05, 0.01)];
const HINGE: f64 = 0.000_002;
const FORCE: f64 = 10.0;
const STEP: f64 = 0.01;
const TRACK: f64 = 2.4;
/// 36°.
const LEAN: f64 = 0.628_318_530_717_958_6;

fn slopes(state: &State, force: f64) -> State {
    let mut pulls = [0.0; 2];
    let mut masses = [0.0; 2];
    let mut turns = [(0.0, 0.0); 2];
    for (pole, (half, mass)) in POLES.into_iter().enumerate() {
        let (angle, speed) = (state[2 + 2 * pole], state[3 + 2 * pole]);
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let friction = HINGE * speed / (mass * half);
        pulls[pole] = mass * half * speed * speed * sine + 0.75 * mass * cosine * (friction + GRAVITY * sine);
        masses[pole] = mass * (1.0 - 0.75 * cosine * cosine);
        turns[pole] = (cosine, GRAVITY * sine + friction);
    }
    let push = (force + pulls[0] + pulls[1]) / (CART + masses[0] + masses[1]);
    let turn = |pole: usize| -0.75 * (push * turns[pole].0 + turns[pole].1) / POLES[pole].0;
    [state[1], push, state[3], turn(0), state[5], turn(1)]
}

/// One decision: a push from −1 to 1 for 0.02 seconds.
pub fn push(state: &mut State, share: f64) {
    let force = share.clamp(-1.0, 1.0) * FORCE;
    for _ in 0..2 {
        let along = |slope: &State, by: f64| -> State { std::array::from_fn(|i| state[i] + by * slope[i]) };
        let one = slopes(state, force);
        let two = slopes(&along(&one, STEP / 2.0), force);
        let three = slopes(&along(&two, STEP / 2.0), force);
        let four = slopes(&along(&three, STEP), force);
        for i in 0..6 {
            state[i] += STEP / 6.0 * (one[i] + 2.0 * two[i] + 2.0 * three[i] + four[i]);
        }
    }
}

/// Whether a pole fell or the cart left its track.
#[must_use]
pub fn failed(state: &State) -> bool {
    state[0].abs() > TRACK || state[2].abs() > LEAN || state[4].abs() > LEAN
}

#[cfg(test)]
mod tests {
    use super::{failed, push};

    /// At rest upright nothing moves; a lean grows, the short pole's faster; a push moves the cart
    /// against which the poles lean.
    #[test]
    fn poles_fall_as_they_should() {
        let mut state = [0.0; 6];
        push(&mut state, 0.0);
        assert_eq!(state, [0.0; 6]);
        let mut state = [0.0, 0.0, 0.01, 0.0, 0.01, 0.0];
        let mut steps = 0;
        while !failed(&state) {
            push(&mut state, 0.0);
            steps += 1;
        }
        assert!(state[4] > 0.6 && state[2] < 0.3, "{state:?}");
        // The short pole grows by e^(t·√(0.75·9.8/0.05)): ln(2·62.8)/12.1 s ≈ 0.4 s.
        assert!((15..25).contains(&steps), "{steps}");
        let mut state = [0.0; 6];
        push(&mut state, 1.0);
        assert!(state[1] > 0.15 && state[2] < 0.0 && state[4] < state[2], "{state:?}");
    }
}
