//! Which players of a pool can be compared.
//!
//! Ratings by maximum likelihood exist if and only if every player can be reached from every other
//! along results: an edge goes from i to j if i took at least half a point from j (Ford, "Solution
//! of a ranking problem from binary comparisons", 1957). Where this fails, a group of players either
//! met no other group, or took all points from it, and the distance between them is unbounded.

/// The groups of players that can be compared with each other, each in ascending order, ordered by
/// their first player. `took(i, j)` says whether i took anything from j. One group: all can be
/// compared.
#[must_use]
pub fn groups(players: usize, took: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let reached_from = |start: usize| {
        let (mut reached, mut open) = (vec![false; players], vec![start]);
        reached[start] = true;
        while let Some(at) = open.pop() {
            for (next, seen) in reached.iter_mut().enumerate() {
                if !*seen && took(at, next) {
                    *seen = true;
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: Vec<Vec<bool>> = (0..players).map(reached_from).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (player, from_player) in reached.iter().enumerate() {
        match groups.iter_mut().find(|group| reached[group[0]][player] && from_player[group[0]]) {
            Some(group) => group.push(player),
            None => groups.push(vec![player]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::groups;

    fn of(players: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        groups(players, |from, to| edges.contains(&(from, to)))
    }

    #[test]
    fn a_cycle_is_one_group_and_a_chain_is_none() {
        assert_eq!(of(3, &[(0, 1), (1, 2), (2, 0)]), [vec![0, 1, 2]]);
        assert_eq!(of(3, &[(0, 1), (1, 2)]), [vec![0], vec![1], vec![2]]);
        assert_eq!(of(4, &[(0, 1), (1, 0), (2, 3), (3, 2)]), [vec![0, 1], vec![2, 3]]);
        assert_eq!(of(4, &[(0, 2), (2, 0), (1, 3), (3, 1), (0, 1)]), [vec![0, 2], vec![1, 3]]);
        assert!(of(0, &[]).is_empty());
    }
}
