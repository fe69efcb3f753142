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
    'wnut16_tweets', ['wnut16_tweets', 'wnut16_tweets_roseq'], 'entity_f1', '46.13 to 52.94 (test)', 'partly',
    'Significant with every seed, but a third of the paper\'s gain, and only with our margin for recall: with the likelihood, 43.4. With more data, as in the paper, and clusters: 48.7 to 50.4, and 50.6 with the likelihood. The paper\'s code selects the epoch on the test file and drops test tokens.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, on emerging entities',
    'wnut17_all_data_roseq', ['wnut17_all_data', 'wnut17_all_data_roseq'], 'entity_f1', '39.12 to 43.03 (test)', 'partly',
    'Half of the paper\'s gain, with more data, as in the paper, clusters and our margin for recall; with the likelihood, 42.1 (p = 0.15). Without data and clusters: 37.3 to 37.0, and 39.1 with the margin.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, in Dutch newspapers',
    'conll2002_nl', ['conll2002_nl_base', 'conll2002_nl'], 'entity_f1', '85.23 to 88.07 (test)', 'yes',
    'Significant with every seed. Both scores are lower than the paper\'s because our word vectors are learned with the model; the paper has word2vec.',
  ),
  claim(
    'RoSeq', 'papers/roseq.md', 'the same, in Spanish newspapers',
    'conll2002_es', ['conll2002_es_base', 'conll2002_es'], 'entity_f1', '85.37 to 87.33 (test)', 'yes',
    'Significant with four of five seeds. Both scores are lower for the same reason.',
  ),
  claim(
    'Hinge family', 'papers/hinge.md', 'a discounted margin beats likelihood',
    'hinge_wnut17', ['wnut17_nll', 'wnut17_discounted_margin'], 'entity_f1', '88.54 to 89.16 (OntoNotes)', 'no',
    'On CoNLL04 and on Dutch CoNLL-2002, they are equal over five seeds (84.6 and 74.8). A higher cost for missed entities helps on tweets in RoSeq (+2.1, p = 0.009); in this tagger, the best costs gain 1.0 (p = 0.08).',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'F1 drops little if 80% of the annotations are missing',
    'missing_p80', ['conll04_missing_nll', 'conll04_missing_nrces'], 'entity_f1', '87.18 with NRCES (CoNLL-2003)', 'yes',
    'NRCES is above all seven rivals, also with 50, 60, 70 and 90% removed. The best of them here, negative sampling, is 2.9 points below it (eight seeds, p = 0.0004). With a frozen encoder, too, NRCES is first.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'on clean data, NRCES costs almost nothing',
    'clean_conll04', ['conll04_clean_nll', 'conll04_clean_nrces'], 'entity_f1', '91.74 with NRCES (CoNLL-2003)', 'partly',
    'It needs `use.nrces(noise=0)`; the settings for noisy annotation cost 8.5 points. Of its rivals, negative sampling costs 11 points and its weighted variant 6.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'NRCES beats cross entropy on distant supervision',
    'ec_frozen_encoder', ['ec_nll_frozen_encoder', 'ec_nrces_frozen_encoder'], 'entity_f1', '70.66 with NRCES (EC, test)', 'yes',
    'Significant with every seed; the gain is recall. Our encoder is frozen, the paper\'s is fine-tuned.',
  ),
  claim(
    'NRCES', 'papers/nrces.md', 'the same, on a larger corpus',
    'news_frozen_encoder', ['news_nll_frozen_encoder', 'news_nrces_frozen_encoder'], 'entity_f1', '89.99 with NRCES (NEWS, test)', 'yes',
    'Significant with every seed; the gain is recall. Our encoder is frozen, the paper\'s is fine-tuned.',
  ),
  claim(
    'Minimum risk', 'papers/mrt.md', 'training for the metric itself improves relation F1',
    'mrt_conll04', ['conll04_tuned_local', 'conll04_tuned_delta_er'], 'relation_f1', '57.8 to 59.0 (ACE05)', 'no',
    'Eight seeds: no difference. With the paper\'s samples and alpha, the risk has almost no gradient; with ours, it has one, but nothing to add to the local loss. None of the ten rows of the paper\'s table gains.',
  ),
  claim(
    'Span level', 'papers/span_level.md', 'vectors of the corpus suffice to tell the types of given spans',
    'typing', ['genia_typing_learned_vectors', 'genia_typing'], 'typing_accuracy', '91.76 (GENIA)', 'partly',
    'On GENIA, they do. On NEREL and GermEval 2014, a third of the test spans have no word of the training text: 58.9 and 67.3 (the paper 68.66 and 69.47); vectors of Russian news have 80.0 on NEREL.',
  ),
]
