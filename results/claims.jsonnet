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
    'RoSeq', 'papers/roseq.md', 'a label-aware CRF, focal loss and adversarial training improve F1 on tweets',
    'wnut16_all_data', ['wnut16_all_data', 'wnut16_all_data_roseq'], 'entity_f1', '46.13 to 52.94 (test)', 'partly',
    'Significant for every seed, but a quarter of the paper\'s gain. RoSeq has a margin here that makes missed entities expensive, which was selected on development data and does not help the base; with the likelihood, 50.6. As in the paper, the development data is part of the training data; the paper\'s code also selects the epoch on the test file and drops test tokens. Without that data and without clusters: 42.7 to 43.7, with the margin 44.8.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, on emerging entities',
    'wnut17_all_data_roseq', ['wnut17_all_data', 'wnut17_all_data_roseq'], 'entity_f1', '39.12 to 43.03 (test)', 'partly',
    'In the same setting, half of the paper\'s gain, and a higher score, with a margin that makes missed entities expensive; with the likelihood, as in the paper, 42.1 (p = 0.15). If the base stops after ten epochs instead of 16, it has 41.9. Without the development data, clusters and a strong adversarial change, RoSeq is more precise but finds fewer entities: 37.3 to 37.0, with the margin 39.1.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, in Dutch newspapers',
    'conll2002_nl', ['conll2002_nl_base', 'conll2002_nl'], 'entity_f1', '85.23 to 88.07 (test)', 'yes',
    'Significant for every seed; precision and recall rise. It needs a stronger adversarial change than on tweets. Without word2vec vectors, both scores are far below the paper\'s.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, in Spanish newspapers',
    'conll2002_es', ['conll2002_es_base', 'conll2002_es'], 'entity_f1', '85.37 to 87.33 (test)', 'yes',
    'With the settings of Dutch, over five seeds; significant for four of them. Without word2vec vectors, both scores are far below the paper\'s.',
  ),
  claim(
    'Hinge family', 'papers/hinge.md', 'a discounted margin beats likelihood',
    'hinge_wnut17', ['wnut17_nll', 'wnut17_discounted_margin'], 'entity_f1', '88.54 to 89.16 (OntoNotes)', 'no',
    'The corpus is small, and a symmetric cost favours background: recall is lower, precision no higher. A smooth margin with a higher cost for missed entities is 1.3 points above the likelihood, and 2.1 in RoSeq (p = 0.009); higher costs gain no more. Discounted margin and likelihood are equal on the entities of CoNLL04 (84.6) and on Dutch CoNLL-2002 (74.8), over five seeds each.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'F1 drops little if 80% of the annotations are missing',
    'missing_p80', ['conll04_missing_nll', 'conll04_missing_nrces'], 'entity_f1', '87.18 with NRCES (CoNLL-2003)', 'yes',
    'Cross entropy collapses; NRCES does not. It is also above all rivals, over eight seeds 2.9 points above negative sampling (p = 0.0004), which the paper beats by 8. So it is with 50, 60, 70 and 90% removed.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'on clean data, NRCES costs almost nothing',
    'clean_conll04', ['conll04_clean_nll', 'conll04_clean_nrces'], 'entity_f1', '91.74 with NRCES (CoNLL-2003)', 'partly',
    'This needs the settings for clean annotation, `use.nrces(noise=0)`; those for noisy annotation cost 8.5 points.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'NRCES beats cross entropy on distant supervision',
    'ec_frozen_encoder', ['ec_nll_frozen_encoder', 'ec_nrces_frozen_encoder'], 'entity_f1', '70.66 with NRCES (EC, test)', 'yes',
    'Significant for every seed; the gain is recall. Our encoder is frozen, the paper fine-tunes it.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'the same, on a larger corpus',
    'news_frozen_encoder', ['news_nll_frozen_encoder', 'news_nrces_frozen_encoder'], 'entity_f1', '89.99 with NRCES (NEWS, test)', 'yes',
    'Significant for every seed; the gain is recall. Our encoder is frozen, the paper fine-tunes it.',
  ),
  claim(
    'Minimum risk', 'papers/mrt.md', 'training for the metric itself improves relation F1',
    'mrt_conll04', ['conll04_tuned_local', 'conll04_tuned_delta_er'], 'relation_f1', '57.8 to 59.0 (ACE05)', 'no',
    'Over eight seeds, with samples of the model itself, relation F1 is the same with and without the risk; over three seeds, none of the ten combinations of costs and sampling gains significantly. With the paper\'s samples and alpha, the risk has almost no gradient.',
  ),
  claim(
    'Span level', 'papers/span_level.md', 'vectors of the corpus suffice to tell the types of given spans',
    'typing', ['genia_typing_learned_vectors', 'genia_typing'], 'typing_accuracy', '91.76 (GENIA)', 'partly',
    'On GENIA, they do: we have the accuracy of the paper, significantly above that of vectors learned with the model. On NEREL, which is small and Russian, they have 58.9 (the paper 68.66) and vectors of Russian news 80.0, because more than a third of the test spans have no word of the training documents; on GermEval 2014, where a third have none, they have 67.3 (the paper 69.47).',
  ),
]
