//! Genes with innovation numbers.
//!
//! A gene is a link with the number of the event that made it. Genes of two genomes with the same
//! number match, wherever they came from; others are *disjoint*, or *excess* beyond the other's
//! last one. The distance of genomes (paper, equation 1):
//!
//! > δ = c₁E/N + c₂D/N + c₃·W̄, W̄ the mean difference of matching weights, N the genes of the larger
//! > genome, 1 for fewer than 20.
//!
//! A child takes matching genes from either parent, the others from the fitter one, from both where
//! they are equal. A gene that is disabled in one parent is disabled in the child with
//! probability 0.75.

use super::config::Config;
use std::collections::BTreeMap;
use tesuji_core::Rng;

/// A link.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gene {
    /// The number of the event that made it.
    pub innovation: u32,
    /// The node it leaves.
    pub from: u32,
    /// The node it enters.
    pub to: u32,
    /// Its weight.
    pub weight: f64,
    /// Whether it is expressed.
    pub enabled: bool,
}

/// A network as genes. Nodes are numbered: inputs, the bias, outputs, then hidden ones by the event
/// that made them.
#[derive(Clone, PartialEq, Debug)]
pub struct Genome {
    /// Inputs, without the bias.
    pub inputs: u32,
    /// Outputs.
    pub outputs: u32,
    /// Hidden nodes, ascending.
    pub hidden: Vec<u32>,
    /// Genes, by innovation number.
    pub genes: Vec<Gene>,
    /// How well it does; higher is better, 0 or more.
    pub fitness: f64,
}

impl Genome {
    /// Nodes that are not hidden.
    #[must_use]
    pub fn fixed(&self) -> u32 {
        self.inputs + 1 + self.outputs
    }

    /// Whether a node is an output or hidden, so that links may enter it.
    #[must_use]
    pub fn computes(&self, node: u32) -> bool {
        node > self.inputs
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.fixed()).chain(self.hidden.iter().copied())
    }

    /// The links that are expressed.
    #[must_use]
    pub fn links(&self) -> usize {
        self.genes.iter().filter(|gene| gene.enabled).count()
    }

    /// Adds a gene at its place.
    pub(super) fn insert(&mut self, gene: Gene) {
        let place = self.genes.partition_point(|known| known.innovation < gene.innovation);
        self.genes.insert(place, gene);
    }

    /// Whether a link exists, expressed or not.
    #[must_use]
    pub fn has_link(&self, from: u32, to: u32) -> bool {
        self.genes.iter().any(|gene| gene.from == from && gene.to == to)
    }

    /// Whether one can go from `start` to `goal` along links.
    #[must_use]
    pub fn reaches(&self, start: u32, goal: u32) -> bool {
        let mut seen = vec![start];
        let mut next = 0;
        while next < seen.len() {
            let node = seen[next];
            if node == goal {
                return true;
            }
            next += 1;
            for gene in self.genes.iter().filter(|gene| gene.from == node) {
                if !seen.contains(&gene.to) {
                    seen.push(gene.to);
                }
            }
        }
        false
    }

    /// The distance to another genome.
    #[must_use]
    pub fn distance(&self, other: &Genome, config: &Config) -> f64 {
        let (one, two) = (&self.genes, &other.genes);
        let (mut i, mut j) = (0, 0);
        let (mut matching, mut disjoint, mut difference) = (0_u32, 0_u32, 0.0);
        while i < one.len() && j < two.len() {
            match one[i].innovation.cmp(&two[j].innovation) {
                std::cmp::Ordering::Equal => {
                    matching += 1;
                    difference += (one[i].weight - two[j].weight).abs();
                    (i, j) = (i + 1, j + 1);
                }
                std::cmp::Ordering::Less => (i, disjoint) = (i + 1, disjoint + 1),
                std::cmp::Ordering::Greater => (j, disjoint) = (j + 1, disjoint + 1),
            }
        }
        let excess = (one.len() - i + two.len() - j) as f64;
        let longer = one.len().max(two.len());
        let length = if config.by_length && longer >= 20 { longer as f64 } else { 1.0 };
        let mean = if matching == 0 { 0.0 } else { difference / f64::from(matching) };
        config.excess * excess / length + config.disjoint * f64::from(disjoint) / length + config.matched * mean
    }

    /// A child of two parents, the first of which is at least as fit.
    #[must_use]
    pub fn cross(&self, other: &Genome, config: &Config, rng: &mut Rng) -> Genome {
        let equal = self.fitness == other.fitness;
        let averaged = config.averaged > 0.0 && rng.unit() < config.averaged;
        let mut child = Genome { hidden: Vec::new(), genes: Vec::new(), fitness: 0.0, ..*self };
        let (mut i, mut j) = (0, 0);
        loop {
            let (mine, theirs) = (self.genes.get(i), other.genes.get(j));
            let gene = match (mine, theirs) {
                (None, None) => break,
                (Some(mine), Some(theirs)) if mine.innovation == theirs.innovation => {
                    (i, j) = (i + 1, j + 1);
                    let mut gene = if rng.below(2) == 0 { *mine } else { *theirs };
                    if averaged {
                        gene.weight = f64::midpoint(mine.weight, theirs.weight);
                    }
                    gene.enabled = (mine.enabled && theirs.enabled) || rng.unit() >= 0.75;
                    Some(gene)
                }
                (Some(mine), theirs) if theirs.is_none_or(|theirs| mine.innovation < theirs.innovation) => {
                    i += 1;
                    (!equal || rng.below(2) == 0).then_some(*mine)
                }
                (_, Some(theirs)) => {
                    j += 1;
                    (equal && rng.below(2) == 0).then_some(*theirs)
                }
                (Some(_), None) => unreachable!("covered above"),
            };
            // Genes of both parents can close a cycle that neither had.
            if let Some(gene) = gene
                && (config.recurrent || !child.computes(gene.from) || !child.reaches(gene.to, gene.from))
            {
                child.genes.push(gene);
            }
        }
        let fixed = child.fixed();
        let mut hidden: Vec<u32> = child.genes.iter().flat_map(|gene| [gene.from, gene.to]).collect();
        hidden.retain(|node| *node >= fixed);
        hidden.sort_unstable();
        hidden.dedup();
        child.hidden = hidden;
        child
    }
}

/// The events of a run: the same link, or the same split of a link, has the same number.
#[derive(Clone, Debug)]
pub struct Innovations {
    links: BTreeMap<(u32, u32), u32>,
    splits: BTreeMap<u32, Vec<u32>>,
    next_node: u32,
}

impl Innovations {
    /// For networks with these inputs, the bias and these outputs.
    #[must_use]
    pub fn new(inputs: u32, outputs: u32) -> Innovations {
        Innovations { links: BTreeMap::new(), splits: BTreeMap::new(), next_node: inputs + 1 + outputs }
    }

    /// The number of a link.
    pub fn link(&mut self, from: u32, to: u32) -> u32 {
        let next = self.links.len() as u32;
        *self.links.entry((from, to)).or_insert(next)
    }

    /// The node that splits a link, one that the genome does not have yet.
    pub fn split(&mut self, innovation: u32, hidden: &[u32]) -> u32 {
        let nodes = self.splits.entry(innovation).or_default();
        if let Some(node) = nodes.iter().find(|node| hidden.binary_search(node).is_err()) {
            return *node;
        }
        let node = self.next_node;
        self.next_node += 1;
        nodes.push(node);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, Gene, Genome, Innovations};
    use tesuji_core::{Rng, Seed};

    /// Figure 4 of the paper: parent 1 has genes 1–5 and 8, parent 2 has 1–7, 9 and 10.
    fn parents() -> [Genome; 2] {
        let genome = |numbers: &[u32], weight: f64| Genome {
            inputs: 3,
            outputs: 1,
            hidden: vec![],
            genes: numbers
                .iter()
                .map(|number| Gene { innovation: *number, from: *number % 4, to: 4, weight, enabled: true })
                .collect(),
            fitness: 1.0,
        };
        [genome(&[1, 2, 3, 4, 5, 8], 1.0), genome(&[1, 2, 3, 4, 5, 6, 7, 9, 10], 3.0)]
    }

    /// Two excess (9, 10), three disjoint (6, 7, 8), mean difference 2.
    #[test]
    fn distance_of_figure_4() {
        let [one, two] = parents();
        let config = Config { excess: 100.0, disjoint: 10.0, matched: 0.25, ..Config::paper() };
        assert_eq!(one.distance(&two, &config), 230.5);
        assert_eq!(two.distance(&one, &config), 230.5);
        assert_eq!(one.distance(&one, &config), 0.0);
    }

    /// The fitter parent gives what does not match; equal parents both give some of it.
    #[test]
    fn crossover_of_figure_4() {
        let [mut one, two] = parents();
        let (config, mut rng) = (Config { recurrent: true, ..Config::paper() }, Rng::new(Seed(1)));
        one.fitness = 2.0;
        let numbers = |genome: &Genome| genome.genes.iter().map(|gene| gene.innovation).collect::<Vec<_>>();
        for _ in 0..20 {
            assert_eq!(numbers(&one.cross(&two, &config, &mut rng)), [1, 2, 3, 4, 5, 8]);
        }
        one.fitness = 1.0;
        let (mut most, mut weights) = (0, [0, 0]);
        for _ in 0..200 {
            let child = one.cross(&two, &config, &mut rng);
            assert!(numbers(&child).starts_with(&[1, 2, 3, 4, 5]));
            most = most.max(child.genes.len());
            weights[usize::from(child.genes[0].weight == 3.0)] += 1;
        }
        assert!(most > 8 && weights[0] > 60 && weights[1] > 60, "{most} {weights:?}");
    }

    #[test]
    fn events_have_one_number() {
        let mut innovations = Innovations::new(2, 1);
        assert_eq!([innovations.link(0, 3), innovations.link(1, 3), innovations.link(0, 3)], [0, 1, 0]);
        let node = innovations.split(0, &[]);
        assert_eq!((node, innovations.split(0, &[]), innovations.split(1, &[])), (4, 4, 5));
        // A genome that has the node already gets another.
        assert_eq!(innovations.split(0, &[4]), 6);
    }
}
