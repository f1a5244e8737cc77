"""Trains the static model: packages → definitions → pairs → weights and their figures. See docs/model.md."""

import argparse
import json
import time
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from batches import BODY, DOC, NAME, PLACE, Bag, Batches, Text
from examples import Examples, extract, number, read_units, select
from optimise import DIMENSIONS, Parameters, Trainer, initial, mean, unit_rows
from prior import TextModel, joint_prior, load_prior
from units import LANGUAGE_OF, Unit, cut_units

MODEL = "headwater-static-1"
STEPS, BATCH, WARM_UP = 500, 1024, 20
SEEDS = (0, 1)  # runs from the same start, averaged: a single one varies by ±.02 on questions in users' words
IMPORTS_WEIGHT = 0.3  # pairs hold no imports
HELD_OUT = {
    "pypi:aiohttp", "pypi:distributed", "pypi:sphinx", "pypi:mlflow", "maven:io.netty:netty-handler",
    "maven:org.apache.zookeeper:zookeeper", "maven:org.apache.pdfbox:pdfbox", "go:github.com/nats-io/nats-server/v2",
    "go:github.com/caddyserver/caddy/v2", "go:github.com/cockroachdb/pebble", "npm:mongodb", "npm:fabric",
    "npm:puppeteer-core", "npm:eslint", "cargo:rustls", "cargo:tantivy", "cargo:axum", "cargo:petgraph",
}  # fmt: skip
POOL, QUESTIONS = 8_000, 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="where packages and intermediate files are kept")
    parser.add_argument("--leave-out", type=Path, help="code that will be searched in evaluations: none of it is used")
    parser.add_argument("--out", type=Path, required=True, help="folder of the weights")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    examples = _examples(options.cache, options.leave_out)
    prior = joint_prior(examples.terms, options.cache)
    held_out = np.isin(examples.package, [i for i, p in enumerate(examples.packages) if p in HELD_OUT])
    started = time.process_time()
    before = evaluate(initial(prior, examples.unit_counts, len(examples.rows)), examples, held_out)
    runs = [
        _train(initial(prior, examples.unit_counts, len(examples.rows)), Batches(examples, ~held_out, seed))
        for seed in SEEDS
    ]
    trained = mean(runs)
    figures = {
        "pairs_from": int((~held_out).sum()),
        "held_out": int(held_out.sum()),
        "terms": len(examples.terms),
        "steps": STEPS,
        "seeds": len(SEEDS),
        "training_cpu_seconds": round(time.process_time() - started),
        "before": before,
        "single": evaluate(runs[0], examples, held_out),
        "after": evaluate(trained, examples, held_out),
    }
    write(trained, examples.terms, options.out)
    (options.out / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")


def _examples(cache: Path, leave_out: Path | None) -> Examples:
    stored = cache / "examples.msgpack.npz"
    if stored.exists():
        with np.load(stored, allow_pickle=False) as data:
            return Examples(**{k: v.tolist() if v.dtype.kind == "U" else v for k, v in data.items()})
    kept = select(read_units(extract(cache)), _units_under(leave_out) if leave_out else [])
    examples = number(kept, load_prior(cache)[0], TextModel(cache).words())
    np.savez(stored, **msgspec.structs.asdict(examples))
    return examples


def _units_under(folder: Path) -> list[Unit]:
    files = (f for f in sorted(folder.rglob("*")) if f.suffix in LANGUAGE_OF and f.is_file())
    return [unit for f in files for unit in cut_units(LANGUAGE_OF[f.suffix], str(f), f.read_bytes())]


def _train(parameters: Parameters, batches: Batches) -> Parameters:
    trainer, losses = Trainer(parameters), []
    for step in range(STEPS):
        pace = min(1, (step + 1) / WARM_UP) * max(0.05, 1 - step / STEPS)
        losses.append(trainer.step(*batches.draw(BATCH), BATCH, pace))
        if step % 50 == 49:
            print(f"step {step + 1}: loss {np.mean(losses[-50:]):.3f}", flush=True)
    return trainer.parameters


def evaluate(parameters: Parameters, examples: Examples, held_out: npt.NDArray[np.bool_]) -> dict[str, object]:
    """On packages that training never saw: first sentence → code without documentation, and second sentence → the
    definition with its other documentation; QUESTIONS among POOL definitions."""
    rows = np.random.default_rng(5).permutation(np.flatnonzero(held_out & (examples.rows[:, 1] > 1)))[:POOL]
    bags, vectors = Batches(examples, held_out), parameters.vectors()
    out: dict[str, object] = {}
    for kind, asked in (("summary_to_code", 0), ("detail_to_documented", 1)):
        asking: list[Text] = []
        shown: list[Text] = []
        for owner, (first, docs, _, _) in enumerate(examples.rows[rows].tolist()):
            shown += [(owner, NAME, first, 1), (owner, PLACE, first + 1, 1), (owner, BODY, first + 2, 1)]
            if asked:
                shown += [(owner, DOC, first + 3, 1)]
                shown += [(owner, BODY, first + 3 + d, 1) for d in range(docs) if d != asked]
            if owner < QUESTIONS:
                asking.append((owner, 0, first + 3 + asked, 1))
        questions = _sums(bags.bag(asking), vectors, parameters.query_log, np.zeros(4, np.float32))
        definitions = _sums(bags.bag(shown), vectors, parameters.chunk_log, parameters.field_log)
        out[kind] = _ranking(questions[:QUESTIONS] @ definitions.T)
    return out


def _sums(
    bag: Bag, vectors: npt.NDArray[np.float32], term_log: npt.NDArray[np.float32], field_log: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    shares = bag.value * np.exp(term_log[bag.term] + field_log[bag.field])
    out = np.zeros((int(bag.owner.max()) + 1, DIMENSIONS), np.float32)
    starts = np.searchsorted(bag.owner, np.arange(len(out) + 1))
    for owner, (start, end) in enumerate(pairwise(starts)):
        out[owner] = shares[start:end] @ vectors[bag.term[start:end]]
    return unit_rows(out)[0]


def _ranking(scores: npt.NDArray[np.float32]) -> dict[str, float]:
    ranks = (scores > scores.diagonal()[:, None]).sum(axis=1)
    mrr = float(np.where(ranks < 10, 1 / (ranks + 1), 0).mean())
    figures = {"recall@1": float((ranks < 1).mean()), "recall@10": float((ranks < 10).mean()), "mrr@10": mrr}
    return {name: round(value, 3) for name, value in figures.items()}


def write(parameters: Parameters, terms: list[str], out: Path) -> None:
    """int8 vectors with one scale each, which moves into the term weights; the card that StaticModel reads."""
    out.mkdir(parents=True, exist_ok=True)
    vectors = parameters.vectors()
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / 127
    weights = np.exp(np.stack([parameters.chunk_log, parameters.query_log])) * scales
    np.save(out / "vectors.npy", np.rint(vectors / scales[:, None]).astype(np.int8))
    np.save(out / "term_weights.npy", (weights / np.median(weights, axis=1, keepdims=True)).astype(np.float32))
    (out / "terms.txt").write_text("\n".join(terms), "utf-8")
    name, place, doc, body = (float(w) for w in np.exp(parameters.field_log))
    fields = {"name": name / body, "place": place / body, "doc": doc / body, "imports": IMPORTS_WEIGHT, "body": 1.0}
    rounded = {field: round(weight, 3) for field, weight in fields.items()}
    card = {"model": MODEL, "dimensions": DIMENSIONS, "fields": rounded}
    (out / "card.json").write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
