"""Statistics by scipy, statsmodels and choix: `pip install scipy statsmodels choix`.

A question is a JSON object with the key `ask` and the numbers; the answer is a JSON list of numbers.
"""

import json

import choix
import numpy as np
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

SHARES = np.array([0, 0.25, 0.5, 0.75, 1])


def wilson(successes, trials, level):
    return proportion_confint(successes, trials, alpha=1 - level, method="wilson")


def reach(level, freedom):
    return [stats.norm.ppf((1 + level) / 2), stats.t.ppf((1 + level) / 2, freedom)]


def paired_t(differences, level):
    found = stats.ttest_1samp(differences, 0)
    interval = found.confidence_interval(level)
    return [found.statistic, found.pvalue, interval.low, interval.high]


def wilcoxon(differences, method):
    """`permutations` goes through all signs, which is exact with ties too; zeros are left out."""
    kept = [difference for difference in differences if difference != 0]
    if method == "permutations":
        method = stats.PermutationMethod(n_resamples=np.inf)
    return [stats.wilcoxon(kept, method=method, correction=False).pvalue]


def mcnemar_exact(first, second):
    return [mcnemar([[7, first], [second, 9]], exact=True).pvalue]


def holm(p_values):
    return multipletests(p_values, method="holm")[1].tolist()


def superiority(counts):
    shares = np.repeat(SHARES, counts)
    return [stats.norm.cdf((shares.mean() - 0.5) / stats.sem(shares))]


def power_law(points):
    logarithms = np.log(points)
    found = stats.linregress(logarithms[:, 0], logarithms[:, 1])
    return [found.slope, np.exp(found.intercept), found.rvalue**2, found.stderr * stats.t.ppf(0.975, len(points) - 2)]


def quantiles(numbers, places):
    return np.quantile(numbers, places).tolist()


def distribution(numbers):
    found = stats.ecdf(numbers).cdf
    return [*found.quantiles, *found.probabilities]


def bradley_terry(players, results, level):
    """Ratings by choix, their intervals by a binomial regression of statsmodels.

    choix takes single wins: a draw is a win of each side, a win is two. The regression measures players against the
    last one; centring the covariance gives that of ratings with mean 0.
    """
    wins, rows, games, points = [], [], [], []
    for first, second, won, drawn, lost in results:
        wins += [(first, second)] * (2 * won + drawn) + [(second, first)] * (2 * lost + drawn)
        row = np.zeros(players)
        row[first], row[second] = 1, -1
        rows.append(row[:-1])
        games.append(won + drawn + lost)
        points.append(won + drawn / 2)
    strengths = choix.mm_pairwise(players, wins, tol=1e-13, max_iter=100_000)
    games = np.array(games)
    model = sm.GLM(np.array(points) / games, np.array(rows), family=sm.families.Binomial(), freq_weights=games)
    fitted = model.fit(tol=1e-15, maxiter=200)
    covariance = np.zeros((players, players))
    covariance[:-1, :-1] = fitted.cov_params()
    centre = np.eye(players) - 1 / players
    deviations = np.sqrt(np.diag(centre @ covariance @ centre))
    elo = 400 / np.log(10)
    return [*(elo * (strengths - strengths.mean())), *(elo * stats.norm.ppf((1 + level) / 2) * deviations)]


def sprt(counts, hypotheses):
    """The ratio by the formula, whose maximum is compared with that of a general optimiser."""
    counts = np.array([count or 1e-3 for count in counts])
    total = counts.sum()

    def best(elo):
        share = 1 / (1 + 10 ** (-elo / 400))
        found = optimize.brentq(
            lambda x: (counts * (SHARES - share) / (1 + x * (SHARES - share))).sum(),
            -1 / (1 - share) + 1e-12,
            1 / share - 1e-12,
            xtol=1e-15,
            rtol=1e-14,
        )
        probabilities = counts / total / (1 + found * (SHARES - share))
        constrained = optimize.minimize(
            lambda p: -(counts * np.log(p)).sum() / total,
            np.full(5, 0.2),
            bounds=[(1e-12, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ SHARES - share},
            ],
            options={"ftol": 1e-14, "maxiter": 500},
        )
        if constrained.fun < -(counts * np.log(probabilities)).sum() / total - 1e-7:
            raise SystemExit("the root is not the maximum")
        return probabilities

    null, alternative = map(best, hypotheses)
    return [(counts * np.log(alternative / null)).sum()]


def bootstrap(ratios, level):
    """Ends of the interval and a deviation for each, from five runs."""
    runs = [
        stats.bootstrap(
            (np.log(ratios),), np.mean, confidence_level=level, method="percentile", n_resamples=4000, rng=seed
        ).confidence_interval
        for seed in range(5)
    ]
    ends = np.array([[run.low, run.high] for run in runs])
    return [*ends.mean(axis=0), *ends.std(axis=0, ddof=1)]


def answer(question):
    asked = json.loads(question)
    found = globals()[asked.pop("ask")](**asked)
    return json.dumps([float(number) for number in found])
