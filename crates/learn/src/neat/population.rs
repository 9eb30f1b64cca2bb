//! Species, shared fitness, offspring.
//!
//! Each generation is sorted into species by the distance to a representative of the last
//! generation. A genome's fitness is divided by the size of its species; offspring are allotted by
//! the sums. The best fifth of a species has offspring; the champion of one with more than five is
//! kept as it is, and so is the best of all, however small its species (a deviation from the paper).
//! A species without progress for `patience` generations has no offspring, unless it holds the best
//! genome of all. If the whole population has made none for twenty, only the two best species go on.

use super::config::Config;
use super::genome::{Genome, Innovations};
use tesuji_core::{Rng, Seed};

/// Generations without any progress after which only the two best species go on.
const STAND_STILL: u32 = 20;

struct Species {
    representative: Genome,
    members: Vec<usize>,
    best: f64,
    /// Generations without progress.
    idle: u32,
    /// Whether its champion was tried since it made progress last.
    tried: bool,
}

/// A population.
pub struct Population {
    config: Config,
    genomes: Vec<Genome>,
    species: Vec<Species>,
    innovations: Innovations,
    threshold: f64,
    rng: Rng,
    champion: Option<Genome>,
    idle: u32,
    generation: u32,
    evaluations: u64,
    /// Whether the species are those of this generation.
    sorted: bool,
}

impl Population {
    /// The first generation.
    #[must_use]
    pub fn new(config: Config, inputs: u32, outputs: u32, seed: Seed) -> Population {
        let mut rng = Rng::new(seed);
        let mut innovations = Innovations::new(inputs, outputs);
        let genomes = (0..config.population)
            .map(|_| Genome::first(inputs, outputs, &config, &mut innovations, &mut rng))
            .collect();
        Population {
            config,
            genomes,
            species: Vec::new(),
            innovations,
            threshold: config.threshold,
            rng,
            champion: None,
            idle: 0,
            generation: 0,
            evaluations: 0,
            sorted: false,
        }
    }

    /// Evaluates the generation: `fitness` is 0 or more, higher is better.
    pub fn evaluate(&mut self, fitness: &mut dyn FnMut(&Genome) -> f64) {
        for genome in &mut self.genomes {
            genome.fitness = fitness(genome).max(0.0);
            self.evaluations += 1;
        }
        let best = self.best_index();
        let progress = self.champion.as_ref().is_none_or(|known| self.genomes[best].fitness > known.fitness);
        self.idle = if progress { 0 } else { self.idle + 1 };
        if progress {
            self.champion = Some(self.genomes[best].clone());
        }
    }

    fn best_index(&self) -> usize {
        let better = |one: usize, other: usize| {
            if self.genomes[other].fitness > self.genomes[one].fitness { other } else { one }
        };
        (1..self.genomes.len()).fold(0, better)
    }

    /// The best of this generation.
    #[must_use]
    pub fn best(&self) -> &Genome {
        &self.genomes[self.best_index()]
    }

    /// The best so far; nothing before an evaluation.
    #[must_use]
    pub fn champion(&self) -> Option<&Genome> {
        self.champion.as_ref()
    }

    /// Genomes evaluated.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Generations bred.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Species of the last generation that was bred.
    #[must_use]
    pub fn species(&self) -> usize {
        self.species.len()
    }

    /// The champion to put to a further trial: that of the fittest species whose champion had none since
    /// the species made progress, or the best of all if there is none. So does the authors' program
    /// (`pole2_epoch`): where fitness says little of the trial, the best of all may fail it again and
    /// again while others would pass.
    pub fn next_to_try(&mut self) -> &Genome {
        self.speciate();
        let fitness = |species: &Species| self.genomes[species.members[0]].fitness;
        let fresh = (0..self.species.len()).filter(|number| !self.species[*number].tried);
        let fittest = |one: usize, other: usize| {
            if fitness(&self.species[other]) > fitness(&self.species[one]) { other } else { one }
        };
        match fresh.reduce(fittest) {
            Some(number) => {
                self.species[number].tried = true;
                &self.genomes[self.species[number].members[0]]
            }
            None => self.best(),
        }
    }

    fn speciate(&mut self) {
        if std::mem::replace(&mut self.sorted, true) {
            return;
        }
        self.species.iter_mut().for_each(|species| species.members.clear());
        for (index, genome) in self.genomes.iter().enumerate() {
            let near = |species: &&mut Species| species.representative.distance(genome, &self.config) < self.threshold;
            match self.species.iter_mut().find(near) {
                Some(species) => species.members.push(index),
                None => self.species.push(Species {
                    representative: genome.clone(),
                    members: vec![index],
                    best: f64::MIN,
                    idle: 0,
                    tried: false,
                }),
            }
        }
        self.species.retain(|species| !species.members.is_empty());
        for species in &mut self.species {
            let genomes = &self.genomes;
            species.members.sort_by(|one, other| genomes[*other].fitness.total_cmp(&genomes[*one].fitness));
            let best = genomes[species.members[0]].fitness;
            species.idle = if best > species.best { 0 } else { species.idle + 1 };
            species.tried &= best <= species.best;
            species.best = species.best.max(best);
            let chosen = species.members[self.rng.below(species.members.len() as u32) as usize];
            species.representative = genomes[chosen].clone();
        }
        if self.config.threshold_step > 0.0 {
            let step = self.config.threshold_step;
            self.threshold += if self.species.len() > self.config.species { step } else { -step };
            self.threshold = self.threshold.max(step);
        }
    }

    /// Breeds the next generation.
    pub fn breed(&mut self) {
        self.speciate();
        let best = self.best_index();
        self.species.sort_by(|one, other| other.best.total_cmp(&one.best));
        let patience = self.config.patience;
        let stuck = self.idle >= STAND_STILL;
        if stuck {
            self.idle = 0;
        }
        let shares: Vec<f64> = self
            .species
            .iter()
            .enumerate()
            .map(|(rank, species)| {
                let tired =
                    if stuck { rank >= 2 } else { species.idle >= patience && !species.members.contains(&best) };
                let sum: f64 = species.members.iter().map(|member| self.genomes[*member].fitness).sum();
                if tired { 0.0 } else { (sum / species.members.len() as f64).max(1e-9) }
            })
            .collect();
        let all: f64 = shares.iter().sum();
        let mut next: Vec<Genome> = Vec::with_capacity(self.config.population);
        let mut owed = 0.0;
        for (number, share) in shares.iter().enumerate() {
            owed += share / all * self.config.population as f64;
            let count = ((owed + 1e-9) as usize).saturating_sub(next.len());
            let species = &self.species[number];
            let parents = ((species.members.len() as f64 * self.config.survival).ceil() as u32).max(1);
            for child in 0..count {
                let champion = &self.genomes[species.members[0]];
                if child == 0 && species.members.len() > 5 {
                    next.push(champion.clone());
                    continue;
                }
                let one = species.members[self.rng.below(parents) as usize];
                let other = if self.rng.unit() < self.config.interspecies {
                    self.rng.below(self.genomes.len() as u32) as usize
                } else {
                    species.members[self.rng.below(parents) as usize]
                };
                let pair = [&self.genomes[one], &self.genomes[other]];
                next.push(Genome::child(pair, &self.config, &mut self.innovations, &mut self.rng));
            }
        }
        while next.len() < self.config.population {
            next.push(self.genomes[best].clone());
        }
        // The best of all is never lost, however small its species.
        if !next.contains(&self.genomes[best]) {
            let last = next.len() - 1;
            next[last] = self.genomes[best].clone();
        }
        self.genomes = next;
        self.sorted = false;
        self.generation += 1;
    }
}
