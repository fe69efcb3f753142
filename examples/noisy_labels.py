"""
Train with half of the annotations missing: with cross entropy, the model misses many entities; with NRCES, fewer.

    python examples/noisy_labels.py [FOLDER]
"""

from steps import DEMO, allennlp, folder, scores, write_config

EXPERIMENT = """
experiment + use.corpus('span_json', '{demo}/train.jsonl', '{demo}/dev.jsonl')
+ use.missing(0.5)  // removes half of the training annotations; development data stays complete
+ use.span(max_width=5) + use.learned_words(50) + use.characters() + use.bilstm(50) + use.flat
+ {loss} + {{ trainer+: {{ num_epochs: 6, patience: null, optimizer+: {{ lr: 0.003 }} }} }}
"""
LOSSES = {"cross_entropy": "use.nll", "nrces": "use.nrces(noise=0.5)"}


def main() -> None:
    place = folder()
    found = {}
    for name, loss in LOSSES.items():
        config = write_config(place / f"{name}.jsonnet", EXPERIMENT.format(demo=DEMO, loss=loss))
        allennlp("train", config, "-s", place / name, "--force")
        result = place / f"{name}.json"
        allennlp("evaluate", place / name / "model.tar.gz", DEMO / "test.jsonl", "--output-file", result)
        found[name] = scores(result)
    print("\ntrained on half of the annotations, tested on all of them:")
    for name, one in found.items():
        print(f"{name:>15}   recall {100 * one['entity_recall']:.1f}   F1 {100 * one['entity_f1']:.1f}")


if __name__ == "__main__":
    main()
