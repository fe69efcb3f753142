// What is measured: each comparison is one `allennlp compare`, and one section of docs/results.md. The first config is what the others are
// tested against.
//
//   name, title        of the section, and of the files below docs/results and results/findings
//   page               of docs/, which says more about the paper
//   configs            below training_config/, without the ending
//   metrics            to report, the first of which is tested
//   seeds              how many
//   overrides          as in `allennlp train -o`, for all configs
//   quick              overrides instead of these, and one seed, to see that everything runs
//   published          config -> metric -> what the paper has in the same row, in its own words
//   same_protocol      `yes`, `nearly` or `no`, and why
//   test               file for the figures on test data, which the full measurement alone reads
//   paired             whether single runs are compared sentence by sentence too
//   vary               as in `allennlp compare --vary`
//   encoder            the folder of an encoder that the configs need; without it, the comparison is left out
//   are_rivals         false where configs have nothing but the page in common, and no test makes sense
local data = std.extVar('NER_ZOO_DATA');

local on_dev = 'Our scores are on development data, which also selects the best epoch; the paper reports test data.';
local first(count, more={}) = { 'dataset_reader.max_instances': count, 'trainer.num_epochs': 2 } + more;

local comparison(name, title, page, configs) = {
  name: name,
  title: title,
  page: page,
  configs: configs,
  metrics: ['entity_f1'],
  seeds: 3,
  overrides: {},
  quick: self.overrides + first(120),
  published: {},
  are_rivals: true,
};

local entity_f1(values) = { [config]: { entity_f1: values[config] } for config in std.objectFields(values) };

// ---- RoSeq

local roseq(corpus, title, published, why) = comparison(corpus, title, 'papers/roseq.md', ['roseq/%s_base' % corpus, 'roseq/' + corpus]) {
  published: entity_f1(published),
  same_protocol: { answer: 'no', why: on_dev + ' ' + why },
};
local roseq_setting = 'The paper\'s code selects the epoch on the test file and drops tokens of that file; we drop nothing. '
                      + 'Our word vectors are two pruned GloVe files with 50 and 100 dimensions; the paper uses 100.';

local all_data(corpus) = ['roseq/%s_all_data%s' % [corpus, row] for row in ['', '_roseq_likelihood', '_roseq', '_priced']];
local all_data_protocol = {
  answer: 'nearly',
  why: 'The paper\'s code also trains on the development data, but it selects the epoch on the test file and drops tokens of that file. We '
       + 'train for a fixed number of epochs and drop nothing. The paper has neither Brown clusters nor a priced margin.',
};

// ---- The hinge family

local hinge(corpus, title) = comparison('hinge_' + corpus, 'The hinge family on ' + title, 'papers/hinge.md', [
  'hinge/%s_%s' % [corpus, loss]
  for loss in ['nll', 'hinge', 'discounted_margin', 'priced_margin']
]) {
  published: entity_f1({
    [corpus + '_nll']: '88.54 ± 0.13 (OntoNotes)',
    [corpus + '_hinge']: '88.81 ± 0.06 (OntoNotes)',
    [corpus + '_discounted_margin']: '89.16 ± 0.03 (OntoNotes)',
  }),
  paired: true,
  same_protocol: {
    answer: 'no',
    why: 'The paper\'s scores are for OntoNotes 5, with ELMo and 300-dimensional vectors. We train the same tagger on another corpus, with '
         + 'vectors of 50 dimensions.',
  },
};

// ---- Minimum risk

local risk_protocol = {
  answer: 'no',
  why: 'The paper\'s scores are for ACE05. All tuned configs start from the same '
       + 'trained model. Their baseline is that model, trained for equally many additional epochs without the risk.',
};

// Table 2 of the paper: F1 of entities and of relations.
local risk_rows = {
  tuned_delta_e: ['83.8', '57.9'],
  tuned_delta_e_entity_sampling: ['83.7', '57.4'],
  tuned_delta_r: ['83.5', '58.9'],
  tuned_delta_r_entity_sampling: ['83.5', '59.1'],
  tuned_delta_er: ['83.6', '59.0'],
  tuned_delta_er_entity_sampling: ['83.6', '57.9'],
  tuned_gamma: ['83.6', '58.3'],
  tuned_gamma_entity_sampling: ['83.6', '58.7'],
  tuned_mrt: ['83.6', '59.6'],
  tuned_mrt_entity_sampling: ['83.3', '59.2'],
};

// What varies is compared with the preset, `alpha` = 1, `mu` = 0.5 and twelve samples.
local risk_curve(name, title, values) = comparison('mrt_' + name, title + ', CoNLL04', 'papers/mrt.md', [
  'mrt/conll04_tuned_delta_er',
  'mrt/conll04_nn',
]) {
  metrics: ['relation_f1', 'entity_f1'],
  seeds: 3,
  vary: ['trainer.callbacks.0.risk.' + values],
  test: data + '/conll04/test.txt',
  paired: true,
  same_protocol: { answer: 'no', why: 'The paper shows such curves for the development data of ACE05.' },
};

// ---- Nested entities

local end_to_end = {
  answer: 'no',
  why: 'The paper classifies gold spans. Our model also has to find the spans, so the scores are not comparable, and the '
       + 'paper has no score for this task.',
};

local typing(name, title, configs, published, test=null) = comparison(name, 'Classifying given spans, ' + title, 'papers/span_level.md', [
  'span_level/%s_typing' % config
  for config in configs
]) {
  metrics: ['typing_accuracy'],
  overrides: { 'trainer.num_epochs': 15 },
  [if test != null then 'test']: data + '/' + test,
  published: { [configs[n] + '_typing']: { typing_accuracy: published[n] } for n in std.range(0, std.length(configs) - 1) },
  are_rivals: false,
  same_protocol: {
    answer: 'nearly',
    why: 'The task is the same: classify gold spans from their own words. The paper divides the corpus in another way, trains its vectors on the '
         + 'text of the whole corpus, we on the training text alone, and trains for 600 epochs or more.',
  },
};

// ---- Missing annotations

local rivals = ['biaffine', 'positive_unlabelled', 'partial_likelihood', 'weighted_partial_likelihood'];

local noise(corpus, title, published) = comparison(corpus, title, 'papers/nrces.md', [
  'nrces/%s_%s' % [corpus, loss]
  for loss in ['nll', 'negative_sampling', 'partial_likelihood', 'nrces']
]) {
  published: entity_f1({ ['%s_%s' % [corpus, loss]]: published[loss] for loss in std.objectFields(published) }),
  same_protocol: {
    answer: 'no',
    why: 'Our encoder is a BiLSTM over character vectors; the paper fine-tunes a Chinese BERT. Partial likelihood is a partial CRF '
         + 'on the annotation that marks unknown tokens; the other three classify spans.',
  },
};

// The settings of NRCES depend on the share of missing annotations.
local suffix(percent) = if percent == 80 then '' else '_p%d' % percent;
local missing_config(loss, percent, inputs='') = 'conll04_missing_' + loss + inputs + if loss == 'nrces' then suffix(percent) else '';
local missing_overrides(percent) = if percent == 80 then {} else { 'dataset_reader.annotation_dropout.probability': percent / 100 };

local missing(percent, published, more=[]) = comparison(
  'missing_p%02d' % percent,
  '%d%% of the annotations removed, CoNLL04' % percent,
  'papers/nrces.md',
  [
    'nrces/' + missing_config(loss, percent)
    for loss in ['nll', 'nrces', 'negative_sampling', 'weighted_negative_sampling'] + more
  ]
) {
  seeds: 4,
  overrides: missing_overrides(percent),
  quick: self.overrides + first(120, { 'validation_dataset_reader.max_instances': 120 }),
  test: data + '/conll04/test.txt',
  paired: true,
  published: entity_f1({
    [missing_config(loss, percent)]: published[loss] + ' (CoNLL-2003)'
    for loss in std.objectFields(published)
  }),
  same_protocol: {
    answer: 'no',
    why: 'Annotations are removed in the same way, but on another corpus (the paper: CoNLL-2003), with a BiLSTM instead of RoBERTa. For the '
         + 'two partial CRFs, every token without annotation is unknown; the other rows classify spans and decode the best set without overlaps.',
  },
};

local missing_encoder(percent, published) = comparison(
  'missing_encoder' + suffix(percent),
  '%d%% of the annotations removed, CoNLL04, with a frozen encoder' % percent,
  'papers/nrces.md',
  ['nrces/' + missing_config(loss, percent, '_encoder') for loss in ['nll', 'nrces', 'negative_sampling']]
) {
  overrides: missing_overrides(percent),
  encoder: data + '/encoders/english-cased',
  quick: self.overrides + first(120, { 'validation_dataset_reader.max_instances': 120 }),
  test: data + '/conll04/test.txt',
  paired: true,
  published: entity_f1({
    [missing_config(loss, percent, '_encoder')]: published[loss] + ' (CoNLL-2003)'
    for loss in std.objectFields(published)
  }),
  same_protocol: {
    answer: 'no',
    why: 'The paper fine-tunes RoBERTa on CoNLL-2003. A BiLSTM reads the vectors of our encoder, a frozen DistilBERT that its publisher rounded to 8 '
         + 'bits and fine-tuned for another task.',
  },
};

[
  comparison('wnut16', 'RoSeq on WNUT-16', 'papers/roseq.md', [
    'roseq/wnut16' + row
    for row in ['_base', '', '_lacrf', '_focal', '_adversarial', '_lacrf_focal', '_lacrf_adversarial', '_focal_adversarial', '_priced']
  ]) {
    test: data + '/wnut16/test',
    seeds: 5,
    paired: true,
    published: entity_f1({
      wnut16_base: '46.13',
      wnut16: '52.94',
      wnut16_lacrf: '46.99',
      wnut16_focal: '47.86',
      wnut16_adversarial: '50.85',
      wnut16_lacrf_focal: '48.20',
      wnut16_lacrf_adversarial: '51.11',
      wnut16_focal_adversarial: '52.09',
    }),
    same_protocol: { answer: 'no', why: roseq_setting + ' We select the epoch on development data.' },
  },
  comparison('wnut16_tweets', 'RoSeq with a strong adversarial change, WNUT-16', 'papers/roseq.md', [
    'roseq/wnut16_' + row
    for row in ['tweets', 'tweets_priced', 'tweets_roseq_likelihood', 'tweets_roseq', 'base']
  ]) {
    seeds: 5,
    test: data + '/wnut16/test',
    paired: true,
    published: entity_f1({ wnut16_base: '46.13', wnut16_tweets_roseq_likelihood: '52.94' }),
    same_protocol: { answer: 'no', why: roseq_setting + ' We select the epoch on development data.' },
  },
  comparison('wnut16_encoder', 'RoSeq with a frozen encoder on WNUT-16', 'papers/roseq.md', ['roseq/wnut16_encoder', 'roseq/wnut16_encoder_roseq']) {
    encoder: data + '/encoders/english-cased',
    test: data + '/wnut16/test',
    seeds: 5,
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not use a pretrained encoder.' },
  },
  comparison('wnut16_all_data', 'RoSeq trained on the development data as well, WNUT-16', 'papers/roseq.md', all_data('wnut16')) {
    seeds: 5,
    test: data + '/wnut16/test',
    paired: true,
    published: entity_f1({ wnut16_all_data: '46.13', wnut16_all_data_roseq: '52.94' }),
    same_protocol: all_data_protocol,
  },
  roseq(
    'wnut17', 'RoSeq on WNUT-17', { wnut17_base: '39.12', wnut17: '43.03' }, roseq_setting
  ) {
    configs+: ['roseq/wnut17_base_priced', 'roseq/wnut17_priced'],
    seeds: 5,
    overrides: { 'trainer.num_epochs': 20 },
    test: data + '/wnut17/emerging.test.annotated',
    paired: true,
    same_protocol: { answer: 'no', why: roseq_setting + ' We select the epoch on development data.' },
  },
  comparison('wnut17_roseq_margin', 'The cost of missed entities in RoSeq, WNUT-17', 'papers/hinge.md', ['roseq/wnut17', 'roseq/wnut17_priced']) {
    seeds: 5,
    overrides: { 'trainer.num_epochs': 20 },
    test: data + '/wnut17/emerging.test.annotated',
    paired: true,
    same_protocol: { answer: 'no', why: 'No paper reports this row; the hinge paper mentions costs that suit F1 as future work.' },
  },
  comparison('wnut17_clusters', 'Brown clusters on WNUT-17', 'papers/roseq.md', ['roseq/wnut17_clusters', 'roseq/wnut17_clusters_roseq']) {
    test: data + '/wnut17/emerging.test.annotated',
    seeds: 5,
    paired: true,
    published: entity_f1({ wnut17_clusters: '39.12 (without clusters)', wnut17_clusters_roseq: '43.03 (without clusters)' }),
    same_protocol: {
      answer: 'no',
      why: 'The paper does not use clusters, and its code selects the epoch on the test file and drops tokens of that file. We select the epoch '
           + 'on development data and drop nothing.',
    },
  },
  comparison('wnut17_encoder', 'A frozen encoder on WNUT-17', 'papers/roseq.md', ['roseq/wnut17_clusters', 'roseq/wnut17_encoder']) {
    encoder: data + '/encoders/english-cased',
    test: data + '/wnut17/emerging.test.annotated',
    seeds: 5,
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not use a pretrained encoder.' },
  },
  comparison('wnut17_encoder_roseq', 'RoSeq with a frozen encoder on WNUT-17', 'papers/roseq.md', ['roseq/wnut17_encoder', 'roseq/wnut17_encoder_roseq']) {
    encoder: data + '/encoders/english-cased',
    test: data + '/wnut17/emerging.test.annotated',
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not use a pretrained encoder.' },
  },
  comparison('wnut17_all_data', 'Training on the development data as well, WNUT-17', 'papers/roseq.md', [
    'roseq/wnut17_all_data',
    'roseq/wnut17_all_data_encoder',
  ]) {
    encoder: data + '/encoders/english-cased',
    test: data + '/wnut17/emerging.test.annotated',
    seeds: 5,
    paired: true,
    published: entity_f1({ wnut17_all_data: '43.03 (RoSeq)' }),
    same_protocol: {
      answer: 'no',
      why: 'The paper also trains on the development data, but its code selects the epoch on the test file. We train for a fixed number of epochs.',
    },
  },
  comparison('wnut17_all_data_roseq', 'RoSeq trained on the development data as well, WNUT-17', 'papers/roseq.md', all_data('wnut17')) {
    seeds: 5,
    overrides: { 'trainer.num_epochs': 16 },
    test: data + '/wnut17/emerging.test.annotated',
    paired: true,
    published: entity_f1({ wnut17_all_data: '39.12', wnut17_all_data_roseq: '43.03' }),
    same_protocol: all_data_protocol,
  },
  comparison('wnut17_distilled', 'A BiLSTM distilled from a frozen encoder, WNUT-17', 'encoders.md', [
    'roseq/wnut17_small' + suffix
    for suffix in ['', '_distilled', '_distilled_text']
  ] + ['roseq/wnut17_encoder']) {
    encoder: data + '/encoders/english-cased',
    test: data + '/wnut17/emerging.test.annotated',
    same_protocol: { answer: 'no', why: 'No paper reports these rows. `python -m results.unlabelled_text` prepares the text without labels.' },
  },
  comparison('wnut17_margin', 'A priced margin on WNUT-17', 'papers/hinge.md', ['roseq/wnut17_clusters', 'roseq/wnut17_clusters_margin']) {
    test: data + '/wnut17/emerging.test.annotated',
    seeds: 5,
    paired: true,
    same_protocol: { answer: 'no', why: 'No paper reports this row; the hinge paper mentions costs that suit F1 as future work.' },
  },
  roseq(
    'conll2002_nl',
    'RoSeq on Dutch CoNLL-2002',
    { conll2002_nl_base: '85.23', conll2002_nl: '88.07' },
    'Our word vectors are learned with the model; the paper uses word2vec.',
  ) {
    overrides: { 'data_loader.batch_size': 32, 'trainer.num_epochs': 15, 'trainer.patience': null },
    test: data + '/conll2002/ned.testb',
    paired: true,
    same_protocol: { answer: 'no', why: 'Our word vectors are learned with the model; the paper uses word2vec.' },
  },

  roseq(
    'conll2002_es',
    'RoSeq on Spanish CoNLL-2002',
    { conll2002_es_base: '85.37', conll2002_es: '87.33' },
    'Our word vectors are learned with the model; the paper uses word2vec.',
  ) {
    seeds: 5,
    overrides: { 'data_loader.batch_size': 32, 'trainer.num_epochs': 15, 'trainer.patience': null },
    test: data + '/conll2002/esp.testb',
    paired: true,
    same_protocol: { answer: 'no', why: 'Our word vectors are learned with the model; the paper uses word2vec.' },
  },

  hinge('wnut17', 'WNUT-17') {
    overrides: { 'trainer.num_epochs': 60, 'trainer.patience': 15 },
    test: data + '/wnut17/emerging.test.annotated',
    seeds: 5,
  },
  comparison('hinge_wnut17_costs', 'The cost of missed entities, WNUT-17', 'papers/hinge.md', [
    'hinge/wnut17_' + row
    for row in ['nll', 'priced_margin_2', 'priced_margin_5', 'recall_margin', 'f1_margin']
  ]) {
    overrides: { 'trainer.num_epochs': 60, 'trainer.patience': 15 },
    test: data + '/wnut17/emerging.test.annotated',
    seeds: 5,
    paired: true,
    same_protocol: { answer: 'no', why: 'No paper reports these rows; the hinge paper mentions costs that suit F1 as future work.' },
  },
  hinge('conll04', 'the entities of CoNLL04') {
    seeds: 5,
    overrides: { 'trainer.num_epochs': 60, 'trainer.patience': 15 },
    test: data + '/conll04/test.txt',
  },

  comparison('hinge_df', 'The factor of the discounted margin, the entities of CoNLL04', 'papers/hinge.md', ['hinge/conll04_discounted_margin']) {
    vary: ['model.loss.df=0.85,0.9,0.925,0.95'],
    overrides: { 'trainer.num_epochs': 60, 'trainer.patience': 15 },
    test: data + '/conll04/test.txt',
    same_protocol: { answer: 'no', why: 'The paper selects df on the development data of OntoNotes and does not report other values.' },
  },

  comparison('hinge_conll04_prices', 'The cost of missed entities, the entities of CoNLL04', 'papers/hinge.md', [
    'hinge/conll04_nll',
    'hinge/conll04_priced_margin',
  ]) {
    vary: ['model.loss.cost.false_negative=2,3,5'],
    overrides: { 'trainer.num_epochs': 60, 'trainer.patience': 15 },
    test: data + '/conll04/test.txt',
    seeds: 5,
    paired: true,
    same_protocol: { answer: 'no', why: 'No paper reports these rows; the hinge paper mentions costs that suit F1 as future work.' },
  },

  comparison('hinge_conll04_costs', 'The costs that F1 sets, the entities of CoNLL04', 'papers/hinge.md', ['hinge/conll04_nll', 'hinge/conll04_f1_margin']) {
    seeds: 5,
    overrides: { 'trainer.num_epochs': 60, 'trainer.patience': 15 },
    test: data + '/conll04/test.txt',
    paired: true,
    same_protocol: { answer: 'no', why: 'No paper reports this row; the hinge paper mentions costs that suit F1 as future work.' },
  },
  hinge('conll2002_nl', 'Dutch CoNLL-2002') {
    seeds: 5,
    overrides: { 'data_loader.batch_size': 32, 'trainer.num_epochs': 20, 'trainer.patience': null },
    test: data + '/conll2002/ned.testb',
  },

  comparison('hinge_conll2002_nl_prices', 'The cost of missed entities, Dutch CoNLL-2002', 'papers/hinge.md', [
    'hinge/conll2002_nl_nll',
    'hinge/conll2002_nl_priced_margin',
  ]) {
    vary: ['model.loss.cost.false_negative=2,5'],
    overrides: { 'data_loader.batch_size': 32, 'trainer.num_epochs': 20, 'trainer.patience': null },
    test: data + '/conll2002/ned.testb',
    paired: true,
    same_protocol: { answer: 'no', why: 'No paper reports these rows; the hinge paper mentions costs that suit F1 as future work.' },
  },

  noise('ec', 'Distant supervision, EC', { negative_sampling: '66.17', partial_likelihood: '60.08', nrces: '70.66' }) {
    test: data + '/ec/test',
    paired: true,
  },
  comparison('ec_w', 'How fast NRCES leaves cross entropy, EC', 'papers/nrces.md', ['nrces/ec_nrces']) {
    vary: ['model.loss.w=2,5,10'],
    test: data + '/ec/test',
    same_protocol: { answer: 'no', why: 'The paper selects w from the same three values and does not report the others.' },
  },
  noise('news', 'Distant supervision, NEWS', { negative_sampling: '85.39', partial_likelihood: '78.38', nrces: '89.99' }) {
    overrides: { 'trainer.num_epochs': 6 },
    test: data + '/news/test',
    paired: true,
  },
  comparison('ec_encoder', 'Distant supervision, EC, with a pretrained encoder', 'papers/nrces.md', [
    'nrces/ec_%s' % row
    for row in ['nll_encoder', 'nrces_encoder', 'machine_reading']
  ]) {
    encoder: data + '/encoders/m3e-small',
    test: data + '/ec/test',
    paired: true,
    published: entity_f1({ ec_nrces_encoder: '70.66', ec_machine_reading: '55.72' }),
    same_protocol: {
      answer: 'nearly',
      why: 'Our encoder is a Chinese BERT with 4 layers and 512 dimensions, fine-tuned with the learning rates of the paper; the paper\'s '
           + 'encoder has 12 layers and 768 dimensions.',
    },
  },
  comparison('ec_frozen_encoder', 'Distant supervision, EC, with a frozen encoder', 'papers/nrces.md', [
    'nrces/ec_%s_frozen_encoder' % loss
    for loss in ['nll', 'nrces']
  ]) {
    encoder: data + '/encoders/chinese',
    test: data + '/ec/test',
    paired: true,
    published: entity_f1({ ec_nrces_frozen_encoder: '70.66' }),
    same_protocol: {
      answer: 'nearly',
      why: 'Our encoder is a Chinese BERT with 12 layers and 768 dimensions, as in the paper, but frozen, rounded to 8 bits by its publisher and '
           + 'fine-tuned for another task; a BiLSTM reads its vectors. The paper fine-tunes the encoder.',
    },
  },
  comparison('ec_ablation', 'What NRCES is made of, EC, with a frozen encoder', 'papers/nrces.md', [
    'nrces/ec_nrces_' + row
    for row in [
      'frozen_encoder',
      'without_sampling',
      'without_sigmoid',
      'without_separate_training',
      'without_o_indicator',
      'without_entity_indicator',
    ]
  ]) {
    encoder: data + '/encoders/chinese',
    test: data + '/ec/test',
    seeds: 4,
    paired: true,
    published: entity_f1({
      ec_nrces_without_sampling: '91.84 (NEWS, dev)',
      ec_nrces_without_sigmoid: '85.15 (NEWS, dev)',
      ec_nrces_without_separate_training: '86.28 (NEWS, dev)',
      ec_nrces_without_o_indicator: '91.00 (NEWS, dev)',
      ec_nrces_without_entity_indicator: '84.97 (NEWS, dev)',
    }),
    same_protocol: {
      answer: 'no',
      why: 'The paper reports this ablation for the development data of NEWS and for CoNLL-2003, with a fine-tuned encoder. Ours is frozen.',
    },
  },
  comparison('news_frozen_encoder', 'Distant supervision, NEWS, with a frozen encoder', 'papers/nrces.md', [
    'nrces/news_%s_frozen_encoder' % loss
    for loss in ['nll', 'nrces']
  ]) {
    encoder: data + '/encoders/chinese',
    test: data + '/news/test',
    paired: true,
    published: entity_f1({ news_nrces_frozen_encoder: '89.99' }),
    same_protocol: {
      answer: 'nearly',
      why: 'The encoder is that of the comparison on EC: as large as the paper\'s, but frozen, and a BiLSTM reads its vectors.',
    },
  },
  comparison('clean_conll04', 'NRCES on complete annotation, CoNLL04', 'papers/nrces.md', [
    'nrces/conll04_clean_nll',
    'nrces/conll04_clean_nrces',
  ] + ['nrces/conll04_missing_' + loss for loss in ['negative_sampling', 'weighted_negative_sampling'] + rivals]) {
    overrides: { 'dataset_reader.annotation_dropout.probability': 0, 'trainer.num_epochs': 12 },
    quick: self.overrides + first(120, { 'validation_dataset_reader.max_instances': 120 }),
    test: data + '/conll04/test.txt',
    paired: true,
    published: entity_f1({ conll04_clean_nrces: '91.74 (CoNLL-2003)' }),
    same_protocol: {
      answer: 'no',
      why: 'Another corpus (the paper: CoNLL-2003), with a BiLSTM instead of RoBERTa. The configs named `missing` are those of the tables below, with '
           + 'all annotations.',
    },
  },
  missing(50, { nrces: '89.70', negative_sampling: '89.22', weighted_negative_sampling: '89.51' }, rivals),
  missing(60, { nrces: '88.84', negative_sampling: '87.65', weighted_negative_sampling: '88.03' }, rivals),
  missing(70, { nrces: '88.73', negative_sampling: '86.24', weighted_negative_sampling: '86.97' }, rivals),
  missing(80, { nrces: '87.18', negative_sampling: '78.84', weighted_negative_sampling: '82.05' }, rivals),
  comparison('missing_p80_seeds', 'NRCES against negative sampling, 80% of the annotations removed, CoNLL04', 'papers/nrces.md', [
    'nrces/conll04_missing_negative_sampling',
    'nrces/conll04_missing_nrces',
  ]) {
    seeds: 8,
    quick: first(120, { 'validation_dataset_reader.max_instances': 120 }),
    test: data + '/conll04/test.txt',
    paired: true,
    published: entity_f1({
      conll04_missing_negative_sampling: '78.84 (CoNLL-2003)',
      conll04_missing_nrces: '87.18 (CoNLL-2003)',
    }),
    same_protocol: { answer: 'no', why: 'Another corpus (the paper: CoNLL-2003), with a BiLSTM instead of RoBERTa.' },
  },
  missing(90, { nrces: '83.63', negative_sampling: '51.47', weighted_negative_sampling: '60.57' }, rivals) { seeds: 5 },

  missing_encoder(50, { nrces: '89.70', negative_sampling: '89.22' }),
  missing_encoder(80, { nrces: '87.18', negative_sampling: '78.84' }) { seeds: 5 },
  missing_encoder(90, { nrces: '83.63', negative_sampling: '51.47' }),

  comparison('mrt_conll04', 'Minimum risk training on CoNLL04', 'papers/mrt.md', [
    'mrt/conll04_' + row
    for row in ['tuned_local', 'tuned_delta_er', 'tuned_mrt', 'nn']
  ]) {
    metrics: ['relation_f1', 'entity_f1'],
    seeds: 8,
    test: data + '/conll04/test.txt',
    paired: true,
    published: {
      conll04_nn: { relation_f1: '57.8 (ACE05)', entity_f1: '83.4 (ACE05)' },
      conll04_tuned_delta_er: { relation_f1: '59.0 (ACE05)', entity_f1: '83.6 (ACE05)' },
      conll04_tuned_mrt: { relation_f1: '59.6 (ACE05)', entity_f1: '83.6 (ACE05)' },
    },
    same_protocol: risk_protocol,
  },

  comparison('mrt_rows', 'Every cost and both ways of sampling, CoNLL04', 'papers/mrt.md', [
    'mrt/conll04_' + row
    for row in ['tuned_local'] + std.objectFields(risk_rows) + ['nn']
  ]) {
    metrics: ['relation_f1', 'entity_f1'],
    test: data + '/conll04/test.txt',
    seeds: 5,
    paired: true,
    published: {
      ['conll04_' + row]: { entity_f1: risk_rows[row][0] + ' (ACE05)', relation_f1: risk_rows[row][1] + ' (ACE05)' }
      for row in std.objectFields(risk_rows)
    } + { conll04_nn: { relation_f1: '57.8 (ACE05)', entity_f1: '83.4 (ACE05)' } },
    same_protocol: risk_protocol,
  },

  risk_curve('alpha', 'How sharp the distribution of minimum risk training is', 'alpha=0.01,0.1,1,10'),
  risk_curve('mu', 'The share of entities in minimum risk training', 'mu=0,0.5,1'),
  risk_curve('samples', 'The number of samples of minimum risk training', 'num_samples=3,12,24'),

  comparison('mrt_draws', 'Drawing without dropout in minimum risk training, CoNLL04', 'papers/mrt.md', [
    'mrt/conll04_' + row
    for row in ['tuned_local', 'tuned_delta_er', 'tuned_delta_er_without_dropout', 'nn']
  ]) {
    metrics: ['relation_f1', 'entity_f1'],
    seeds: 5,
    test: data + '/conll04/test.txt',
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not report this; the published code draws without dropout.' },
  },

  comparison('mrt_candidates', 'The pairs that a joint model learns from, CoNLL04', 'papers/mrt.md', [
    'mrt/conll04_nn',
    'mrt/conll04_nn_reference_pairs',
  ]) {
    metrics: ['relation_f1', 'entity_f1'],
    seeds: 5,
    test: data + '/conll04/test.txt',
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not compare candidates; they differ from those of its published code.' },
  },

  comparison('conll04_encoder', 'A frozen encoder for a joint model, CoNLL04', 'papers/mrt.md', ['mrt/conll04_nn', 'mrt/conll04_nn_encoder']) {
    metrics: ['relation_f1', 'entity_f1'],
    encoder: data + '/encoders/english-cased',
    test: data + '/conll04/test.txt',
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not use a pretrained encoder.' },
  },

  comparison('mrt_encoder', 'Minimum risk training with a frozen encoder, CoNLL04', 'papers/mrt.md', [
    'mrt/conll04_%s_encoder' % row
    for row in ['tuned_local', 'tuned_delta_er', 'nn']
  ]) {
    metrics: ['relation_f1', 'entity_f1'],
    encoder: data + '/encoders/english-cased',
    test: data + '/conll04/test.txt',
    paired: true,
    same_protocol: { answer: 'no', why: 'The paper does not use a pretrained encoder.' },
  },

  comparison('genia', 'Nested entities, end to end, GENIA', 'papers/span_level.md', ['span_level/genia_own_vectors']) {
    test: data + '/genia/genia.test.iob2',
    same_protocol: end_to_end,
  },
  comparison('cadec', 'Discontinuous entities, end to end, CADEC', 'papers/span_level.md', ['span_level/cadec', 'span_level/cadec_encoder']) {
    metrics: ['entity_f1', 'discontinuous_entity_f1'],
    encoder: data + '/encoders/english-cased',
    test: data + '/cadec/test.json',
    seeds: 5,
    paired: true,
    same_protocol: end_to_end,
  },
  comparison('litbank', 'Nested entities, end to end, LitBank', 'papers/span_level.md', ['span_level/litbank']) {
    overrides: { 'trainer.num_epochs': 8 },
    test: data + '/litbank/test',
    same_protocol: end_to_end,
  },
  comparison('germeval14', 'Nested entities, end to end, GermEval 2014', 'papers/span_level.md', ['span_level/germeval14']) {
    overrides: { 'trainer.num_epochs': 8 },
    test: data + '/germeval14/germ.test.iob2',
    same_protocol: end_to_end,
  },
  comparison('nerel', 'Nested and discontinuous entities, NEREL', 'papers/span_level.md', [
    'span_level/nerel',
    'span_level/nerel_russian_vectors',
  ]) {
    metrics: ['entity_f1', 'discontinuous_entity_f1'],
    overrides: { 'trainer.num_epochs': 20 },
    test: data + '/nerel/test',
    same_protocol: end_to_end,
  },
  comparison('typing', 'Classifying given spans, GENIA', 'papers/span_level.md', [
    'span_level/genia_typing_learned_vectors',
    'span_level/genia_typing',
  ]) {
    metrics: ['typing_accuracy'],
    overrides: { 'trainer.num_epochs': 8 },
    test: data + '/genia/genia.test.iob2',
    seeds: 5,
    paired: true,
    published: { genia_typing: { typing_accuracy: '91.76' } },
    same_protocol: {
      answer: 'nearly',
      why: 'The task is the same: classify gold spans from their own words. The paper divides the corpus in another way, and trains its vectors on '
           + 'the text of the whole corpus, we on the training text alone.',
    },
  },
  typing('typing_litbank', 'LitBank', ['litbank'], ['87.93'], 'litbank/test'),
  typing('typing_nerel', 'NEREL', ['nerel'], ['68.66'], 'nerel/test') {
    configs+: ['span_level/nerel_typing_russian_vectors'],
    published+: { nerel_typing_russian_vectors: { typing_accuracy: '68.66 (vectors of the corpus)' } },
    are_rivals: true,
  },
  typing('typing_msra', 'MSRA', ['msra'], ['96.87'], 'msra_test/msra_test_bio'),
  typing('typing_germeval14', 'GermEval 2014', ['germeval14'], ['69.47'], 'germeval14/germ.test.iob2'),
  typing('typing_others', 'ANERcorp and HAREM', ['anercorp', 'harem'], ['72.73', '64.98']),
  comparison('glove_msra', 'Word vectors trained on the corpus, MSRA', 'papers/span_level.md', [
    'span_level/msra_random_vectors',
    'span_level/msra_own_vectors',
  ]) {
    overrides: { 'trainer.num_epochs': 8 },
    test: data + '/msra_test/msra_test_bio',
    paired: true,
    same_protocol: {
      answer: 'no',
      why: 'The paper uses such vectors everywhere and does not compare them with others. Our tagger starts from them or from random vectors, and '
           + 'tunes both.',
    },
  },
]
