//! The network that a genome means.
//!
//! The activation is the paper's steepened sigmoid, 1/(1 + e^(−4.9z)). A network without cycles is
//! evaluated in the order of its links (`settle(None)`); one with cycles, or as Encog does always, in
//! a number of synchronous steps from rest. A controller takes one such step for each of its own.

use super::genome::Genome;
use crate::small::{Head, Inside, SmallFileError, Writer, unpack_as};

/// 1/(1 + e^(−4.9z)).
#[must_use]
pub fn steepened(sum: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-4.9 * sum))
}

/// A network: nodes are inputs, the bias, outputs, hidden ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    inputs: usize,
    outputs: usize,
    nodes: usize,
    /// From, to, weight; sorted so that a node's inputs are complete before it is used, where
    /// possible.
    links: Vec<(u16, u16, f32)>,
    /// The nodes that compute, in that order, with the number of links that enter each.
    order: Vec<(u16, u32)>,
    state: Vec<f32>,
    sums: Vec<f32>,
}

impl Network {
    /// The network of a genome. The bias is 1.
    #[must_use]
    pub fn of(genome: &Genome) -> Network {
        let index = |node: u32| {
            if node < genome.fixed() {
                node as usize
            } else {
                genome.fixed() as usize + genome.hidden.binary_search(&node).unwrap_or(0)
            }
        };
        let links: Vec<(u16, u16, f32)> = genome
            .genes
            .iter()
            .filter(|gene| gene.enabled)
            .map(|gene| (index(gene.from) as u16, index(gene.to) as u16, gene.weight as f32))
            .collect();
        Network::assemble(genome.inputs as usize, genome.outputs as usize, genome.hidden.len(), links)
    }

    fn assemble(inputs: usize, outputs: usize, hidden: usize, links: Vec<(u16, u16, f32)>) -> Network {
        let nodes = inputs + 1 + outputs + hidden;
        // Kahn's order; what lies on a cycle comes last, by number.
        let mut waiting = vec![0_u32; nodes];
        links.iter().for_each(|link| waiting[usize::from(link.1)] += 1);
        let mut done: Vec<usize> = (0..nodes).filter(|node| waiting[*node] == 0).collect();
        let mut next = 0;
        while next < done.len() {
            let from = done[next];
            for link in links.iter().filter(|link| usize::from(link.0) == from) {
                let to = usize::from(link.1);
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    done.push(to);
                }
            }
            next += 1;
        }
        done.extend((0..nodes).filter(|node| waiting[*node] > 0));
        let mut order = Vec::new();
        let mut sorted = Vec::with_capacity(links.len());
        for node in done.into_iter().filter(|node| *node > inputs) {
            let before = sorted.len();
            sorted.extend(links.iter().filter(|link| usize::from(link.1) == node));
            order.push((node as u16, (sorted.len() - before) as u32));
        }
        let mut network =
            Network { inputs, outputs, nodes, links: sorted, order, state: vec![0.0; nodes], sums: vec![0.0; nodes] };
        network.rest();
        network
    }

    /// Numbers in, without the bias.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Numbers out.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Links.
    #[must_use]
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// All nodes at rest.
    pub fn rest(&mut self) {
        self.state.fill(0.0);
        self.state[self.inputs] = 1.0;
    }

    /// Another value for the bias.
    pub fn set_bias(&mut self, bias: f32) {
        self.state[self.inputs] = bias;
    }

    /// One synchronous step with this input; returns the outputs.
    pub fn step(&mut self, input: &[f32]) -> &[f32] {
        self.state[..self.inputs].copy_from_slice(input);
        self.sums.fill(0.0);
        for (from, to, weight) in &self.links {
            self.sums[usize::from(*to)] += weight * self.state[usize::from(*from)];
        }
        for (node, _) in &self.order {
            let node = usize::from(*node);
            self.state[node] = squash(self.sums[node]);
        }
        &self.state[self.inputs + 1..self.inputs + 1 + self.outputs]
    }

    /// The outputs after this many synchronous steps from rest, or in the order of the links.
    pub fn settle(&mut self, input: &[f32], cycles: Option<usize>) -> &[f32] {
        if let Some(cycles) = cycles {
            self.rest();
            for _ in 0..cycles {
                self.step(input);
            }
        } else {
            self.state[..self.inputs].copy_from_slice(input);
            let mut links = self.links.iter();
            for (node, count) in &self.order {
                let entering = links.by_ref().take(*count as usize);
                let sum = entering.map(|(from, _, weight)| weight * self.state[usize::from(*from)]).sum();
                self.state[usize::from(*node)] = squash(sum);
            }
        }
        &self.state[self.inputs + 1..self.inputs + 1 + self.outputs]
    }

    /// As a file: inputs, outputs, hidden nodes and links (u16 each), then for each link from and to
    /// (u16), then all weights.
    #[must_use]
    pub fn to_file(&self, head: &Head) -> Vec<u8> {
        let mut writer = Writer::new(head);
        for number in [self.inputs, self.outputs, self.nodes - self.inputs - 1 - self.outputs, self.links.len()] {
            writer.short(number);
        }
        for (from, to, _) in &self.links {
            writer.short(usize::from(*from));
            writer.short(usize::from(*to));
        }
        writer.numbers(self.links.iter().map(|link| link.2));
        writer.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is damaged, another file, or no network.
    pub fn from_file(bytes: &[u8]) -> Result<(Head, Network), SmallFileError> {
        let (head, mut reader) = unpack_as(bytes, Inside::Evolved)?;
        let (inputs, outputs, hidden, count) = (reader.short()?, reader.short()?, reader.short()?, reader.short()?);
        let nodes = inputs + 1 + outputs + hidden;
        let mut links = Vec::new();
        for _ in 0..count {
            let (from, to) = (reader.short()?, reader.short()?);
            if inputs == 0 || outputs == 0 || nodes > 4_096 || from >= nodes || to >= nodes || to <= inputs {
                return Err(SmallFileError::Inconsistent("a link joins nodes that do not exist"));
            }
            links.push((from as u16, to as u16, 0.0));
        }
        let weights = reader.numbers(count)?;
        reader.end()?;
        links.iter_mut().zip(weights).for_each(|(link, weight)| link.2 = weight);
        if inputs == 0 || outputs == 0 || nodes > 4_096 {
            return Err(SmallFileError::Inconsistent("its nodes make no network"));
        }
        Ok((head, Network::assemble(inputs, outputs, hidden, links)))
    }
}

fn squash(sum: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-4.9 * sum))
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Genome, Innovations};
    use super::{Network, steepened};
    use crate::small::{Head, Inside};
    use tesuji_core::{Rng, Seed};

    /// Input → hidden → output by hand: one step reaches the hidden node, two the output; in order
    /// it takes one pass.
    #[test]
    fn steps_and_order() {
        let links = vec![(3, 2, 2.0), (0, 3, 1.0)];
        let mut network = Network::assemble(1, 1, 1, links);
        let hidden = steepened(0.5);
        let output = steepened(2.0 * hidden);
        let close = |found: f32, expected: f64| assert!((f64::from(found) - expected).abs() < 1e-6, "{found}");
        close(network.settle(&[0.5], None)[0], output);
        close(network.settle(&[0.5], Some(1))[0], 0.5);
        close(network.settle(&[0.5], Some(2))[0], output);
        close(network.settle(&[0.5], Some(4))[0], output);
    }

    #[test]
    fn files_come_back() {
        let (config, mut rng) = (Config { add_node: 1.0, ..Config::paper() }, Rng::new(Seed(3)));
        let mut innovations = Innovations::new(4, 3);
        let mut genome = Genome::first(4, 3, &config, &mut innovations, &mut rng);
        genome.add_node(&mut innovations, &mut rng);
        genome.add_link(&config, &mut innovations, &mut rng);
        let head =
            Head { inside: Inside::Evolved, game: "go".into(), lines: 2, style: "text".into(), note: String::new() };
        let network = Network::of(&genome);
        let bytes = network.to_file(&head);
        assert_eq!(Network::from_file(&bytes), Ok((head, network)));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            assert!(Network::from_file(&damaged).is_err(), "byte {place}");
        }
    }
}
