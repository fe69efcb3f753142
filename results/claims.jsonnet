// What each paper claims, and whether it holds here: the overview of docs/results.md. The fields are explained in claim.py.
local claim(paper, page, claim, comparison, configs, metric, published, verdict, why) = {
  paper: paper,
  page: page,
  claim: claim,
  comparison: comparison,
  baseline: configs[0],
  system: configs[1],
  metric: metric,
  published: published,
  verdict: verdict,
  why: why,
};

[
  claim(
    'RoSeq', 'papers/roseq.md', 'label-aware CRF, focal loss and adversarial training help on tweets',
    'wnut16', ['wnut16_base', 'wnut16'], 'entity_f1', '46.13 to 52.94 (test)', 'partly',
    'Less than a third of the gain. The paper\'s code chooses the epoch on the test file, trains on dev as well and leaves test tokens out.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, on emerging entities',
    'wnut17_clusters', ['wnut17_clusters', 'wnut17_clusters_roseq'], 'entity_f1', '39.12 to 43.03 (test)', 'not',
    'More precise, but fewer entities are found, and recall is what limits both. Ten epochs, where the paper has 50.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, in Dutch newspapers',
    'conll2002_nl', ['conll2002_nl_base', 'conll2002_nl'], 'entity_f1', '85.23 to 88.07 (test)', 'holds',
    'After four epochs, without word2vec vectors: both are far from converged.',
  ),
  claim(
    'Hinge family', 'papers/hinge.md', 'a discounted margin beats likelihood',
    'hinge_wnut17', ['wnut17_nll', 'wnut17_discounted_margin'], 'entity_f1', '88.54 to 89.16 (OntoNotes)', 'not',
    'The corpus is small, and under a symmetric cost background is cheap: precision is equal, recall is lost.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'with 80% of the annotations missing, little is lost',
    'missing_p80', ['conll04_nll', 'conll04_nrces'], 'entity_f1', '87.18 with NRCES (CoNLL-2003)', 'holds',
    'Cross-entropy collapses and NRCES does not.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'on clean data it costs next to nothing',
    'clean_conll04', ['conll04_clean_nll', 'conll04_clean_nrces'], 'entity_f1', '91.74 with NRCES (CoNLL-2003)', 'partly',
    'With settings for clean annotation, `use.nrces(noise=0)`; those for noisy annotation cost 8.5 points there.',
  ),
  claim(
    'Minimum risk', 'papers/mrt.md', 'training for the metric itself improves relations',
    'mrt_conll04', ['conll04_tuned_local', 'conll04_tuned_delta_er'], 'relation_f1', '57.8 to 59.0 (ACE05)', 'not',
    'Samples lie so far below gold that the risk has next to no gradient; seeds differ by more than the paper\'s gain.',
  ),
]
