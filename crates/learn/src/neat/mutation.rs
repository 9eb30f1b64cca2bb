//! Changes of weights and of structure.
//!
//! A new node splits a link: the link is disabled, the new one into the node has weight 1, the one
//! out of it the old weight. A new link joins two nodes that have none.

use super::config::{Breeding, Config};
use super::genome::{Gene, Genome, Innovations};
use tesuji_core::Rng;

/// A draw from the normal distribution (Box & Muller 1958).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let (one, two) = (1.0 - rng.unit(), rng.unit());
    (-2.0 * libm::log(one)).sqrt() * libm::cos(std::f64::consts::TAU * two)
}

/// A number from [−range, range).
pub(crate) fn within(range: f64, rng: &mut Rng) -> f64 {
    range * (2.0 * rng.unit() - 1.0)
}

impl Genome {
    /// A genome of the first generation: links from inputs and bias to outputs, each with the
    /// configured probability, and at least one.
    #[must_use]
    pub fn first(inputs: u32, outputs: u32, config: &Config, innovations: &mut Innovations, rng: &mut Rng) -> Genome {
        let mut genome = Genome { inputs, outputs, hidden: Vec::new(), genes: Vec::new(), fitness: 0.0 };
        for from in 0..=inputs {
            for to in inputs + 1..genome.fixed() {
                // Every link has its number, so that all genomes of a run agree on it.
                let innovation = innovations.link(from, to);
                let weight = within(config.range, rng);
                if rng.unit() < config.density {
                    genome.genes.push(Gene { innovation, from, to, weight, enabled: true });
                }
            }
        }
        if genome.genes.is_empty() {
            let (from, to) = (rng.below(inputs + 1), inputs + 1 + rng.below(outputs));
            let innovation = innovations.link(from, to);
            genome.genes.push(Gene { innovation, from, to, weight: within(config.range, rng), enabled: true });
        }
        genome
    }

    /// Splits a link by a node.
    pub fn add_node(&mut self, innovations: &mut Innovations, rng: &mut Rng) {
        let enabled: Vec<usize> = (0..self.genes.len()).filter(|index| self.genes[*index].enabled).collect();
        if enabled.is_empty() {
            return;
        }
        let index = enabled[rng.below(enabled.len() as u32) as usize];
        self.genes[index].enabled = false;
        let Gene { innovation, from, to, weight, .. } = self.genes[index];
        let node = innovations.split(innovation, &self.hidden);
        let place = self.hidden.partition_point(|known| *known < node);
        self.hidden.insert(place, node);
        for (from, to, weight) in [(from, node, 1.0), (node, to, weight)] {
            let innovation = innovations.link(from, to);
            self.insert(Gene { innovation, from, to, weight, enabled: true });
        }
    }

    /// Joins two nodes, if twenty tries find two that may be.
    pub fn add_link(&mut self, config: &Config, innovations: &mut Innovations, rng: &mut Rng) {
        let nodes: Vec<u32> = self.nodes().collect();
        for _ in 0..20 {
            let from = nodes[rng.below(nodes.len() as u32) as usize];
            let to = nodes[rng.below(nodes.len() as u32) as usize];
            let closes = |genome: &Genome| !config.recurrent && genome.computes(from) && genome.reaches(to, from);
            if !self.computes(to) || self.has_link(from, to) || closes(self) {
                continue;
            }
            let innovation = innovations.link(from, to);
            self.insert(Gene { innovation, from, to, weight: within(config.range, rng), enabled: true });
            return;
        }
    }

    /// Removes a link, and hidden nodes that have none any more.
    pub fn remove_link(&mut self, rng: &mut Rng) {
        if self.genes.len() < 2 {
            return;
        }
        self.genes.remove(rng.below(self.genes.len() as u32) as usize);
        let genes = &self.genes;
        self.hidden.retain(|node| genes.iter().any(|gene| gene.from == *node || gene.to == *node));
    }

    /// Changes weights as the paper does.
    fn change_weights(&mut self, anew: f64, power: f64, config: &Config, rng: &mut Rng) {
        for gene in &mut self.genes {
            gene.weight = if rng.unit() < anew {
                within(config.range, rng)
            } else {
                (gene.weight + within(power, rng)).clamp(-config.most, config.most)
            };
        }
    }

    /// Expresses links and ceases to, as the authors' program does. A link is not switched off if nothing
    /// else leaves its node.
    fn change_expression(&mut self, config: &Config, rng: &mut Rng) {
        if config.toggle > 0.0 && rng.unit() < config.toggle && !self.genes.is_empty() {
            let chosen = rng.below(self.genes.len() as u32) as usize;
            let from = self.genes[chosen].from;
            let leaving = self.genes.iter().filter(|gene| gene.from == from && gene.enabled).count();
            let gene = &mut self.genes[chosen];
            gene.enabled = !gene.enabled || leaving < 2;
        }
        if config.enable > 0.0
            && rng.unit() < config.enable
            && let Some(gene) = self.genes.iter_mut().find(|gene| !gene.enabled)
        {
            gene.enabled = true;
        }
    }

    /// Changes weights as Encog does: one, two or three links, or each with probability 0.02, by a
    /// normal draw of deviation 0.02 or 1 (0.1125 each), or anew (0.03 for one to three, 0.01).
    fn change_weights_as_encog(&mut self, config: &Config, rng: &mut Rng) {
        let count = self.genes.len() as u32;
        if count == 0 {
            return;
        }
        let draw = rng.unit();
        // Eight ways to perturb, of 0.1125 each; four to reset.
        let (way, deviation) = match (draw / 0.1125) as usize {
            way @ 0..8 => (way % 4, Some(if way < 4 { 0.02 } else { 1.0 })),
            _ => (((draw - 0.9) / 0.03).min(3.0) as usize, None),
        };
        let chosen: Vec<usize> = if way < 3 {
            (0..=way).map(|_| rng.below(count) as usize).collect()
        } else {
            (0..self.genes.len()).filter(|_| rng.unit() < 0.02).collect()
        };
        for index in chosen {
            let weight = &mut self.genes[index].weight;
            let changed = match deviation {
                Some(deviation) => *weight + deviation * normal(rng),
                None => within(config.range, rng),
            };
            *weight = changed.clamp(-config.most, config.most);
        }
    }

    /// A child of one or two parents.
    #[must_use]
    pub(super) fn child(
        parents: [&Genome; 2],
        config: &Config,
        innovations: &mut Innovations,
        rng: &mut Rng,
    ) -> Genome {
        let [one, other] = parents;
        let cross = |rng: &mut Rng| {
            let (fitter, weaker) = if one.fitness >= other.fitness { (one, other) } else { (other, one) };
            fitter.cross(weaker, config, rng)
        };
        match config.breeding {
            Breeding::Paper { alone, weights, anew, power } => {
                let mut child = if rng.unit() < alone {
                    one.clone()
                } else {
                    let child = cross(rng);
                    if config.cross_only > 0.0 && rng.unit() < config.cross_only {
                        return child;
                    }
                    child
                };
                // A new structure keeps the weights it has, as in the authors' program.
                if rng.unit() < config.add_node {
                    child.add_node(innovations, rng);
                } else if rng.unit() < config.add_link {
                    child.add_link(config, innovations, rng);
                } else if rng.unit() < config.remove_link {
                    child.remove_link(rng);
                } else {
                    if rng.unit() < weights {
                        child.change_weights(anew, power, config, rng);
                    }
                    child.change_expression(config, rng);
                }
                child
            }
            Breeding::Encog => {
                let draw = rng.unit();
                if draw < 0.5 {
                    return cross(rng);
                }
                let mut child = one.clone();
                let structure = [config.remove_link, config.add_node, config.add_link];
                let bound = |count: usize| 1.0 - structure[..count].iter().sum::<f64>();
                if draw >= bound(1) {
                    child.remove_link(rng);
                } else if draw >= bound(2) {
                    child.add_node(innovations, rng);
                } else if draw >= bound(3) {
                    child.add_link(config, innovations, rng);
                } else {
                    child.change_weights_as_encog(config, rng);
                }
                child
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Genome, Innovations};
    use tesuji_core::{Rng, Seed};

    /// A new node keeps what the network computes almost as it was: in by weight 1, out by the old.
    #[test]
    fn a_node_splits_a_link() {
        let (config, mut rng) = (Config::paper(), Rng::new(Seed(2)));
        let mut innovations = Innovations::new(1, 1);
        let mut genome = Genome::first(1, 1, &config, &mut innovations, &mut rng);
        assert_eq!(genome.genes.len(), 2);
        let before = genome.clone();
        genome.add_node(&mut innovations, &mut rng);
        let split = genome.genes.iter().position(|gene| !gene.enabled).expect("one is disabled");
        let old = before.genes[split];
        assert_eq!(genome.hidden, [3]);
        let tail: Vec<_> = genome.genes[2..].iter().map(|gene| (gene.from, gene.to, gene.weight)).collect();
        assert_eq!(tail, [(old.from, 3, 1.0), (3, old.to, old.weight)]);
    }

    /// Without recurrence nothing closes a cycle, whatever is mutated and crossed.
    #[test]
    fn feed_forward_stays_so() {
        let (config, mut rng) = (Config { add_node: 0.5, add_link: 0.9, ..Config::paper() }, Rng::new(Seed(3)));
        let mut innovations = Innovations::new(2, 2);
        let mut genomes: Vec<Genome> =
            (0..8).map(|_| Genome::first(2, 2, &config, &mut innovations, &mut rng)).collect();
        for _ in 0..400 {
            let pick = |rng: &mut Rng| rng.below(8) as usize;
            let (one, other, place) = (pick(&mut rng), pick(&mut rng), pick(&mut rng));
            let child = Genome::child([&genomes[one], &genomes[other]], &config, &mut innovations, &mut rng);
            for gene in &child.genes {
                assert!(!child.reaches(gene.to, gene.from));
                assert!(child.computes(gene.to));
            }
            if child.genes.len() < 60 {
                genomes[place] = child;
            }
        }
    }
}
