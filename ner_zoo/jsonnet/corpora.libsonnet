// Corpora: any files with their reader, and known corpora in $NER_ZOO_DATA under their published file names.
local data = std.extVar('NER_ZOO_DATA');

local files(reader, train, validation, options={}) = {
  dataset_reader+: { type: reader } + options,
  train_data_path: train,
  validation_data_path: validation,
};

local corpus(reader, train, validation) = files(reader, data + '/' + train, data + '/' + validation);

// A corpus without a development split: one sentence in ten is held out.
local divided(type, files) = corpus(type, files + ' [all but every 10th]', files + ' [every 10th]');

{
  // Your own files, with the name and the options of their reader: use.corpus('conll', 'train.tsv', 'dev.tsv').
  corpus(reader, train, validation, options={}): files(reader, train, validation, options),

  // The bundled corpus; run from the root of the repository.
  demo: files('span_json', 'fixtures/demo/train.jsonl', 'fixtures/demo/dev.jsonl'),

  // ---- Flat entities

  wnut16: corpus('wnut', 'wnut16/train', 'wnut16/dev'),
  wnut17: corpus('wnut', 'wnut17/wnut17train.conll', 'wnut17/emerging.dev.conll'),
  ontonotes: corpus('ontonotes', 'ontonotes/train', 'ontonotes/development'),
  conll2002_es: corpus('conll', 'conll2002/esp.train', 'conll2002/esp.testa'),
  conll2002_nl: corpus('conll', 'conll2002/ned.train', 'conll2002/ned.testa'),
  conll2003: corpus('conll', 'conll2003/eng.train', 'conll2003/eng.testa'),
  anercorp: divided('anercorp', 'anercorp/ANERCorp*'),
  msra: divided('msra', 'msra/msra_train_bio*'),

  // Human annotation plus distant supervision, which misses entities that are not in its dictionary.
  ec: corpus('ec', 'ec/train + ds_fa', 'ec/dev'),
  news: corpus('news', 'news/train + ds_fa', 'news/dev'),
  // The same, but words outside the dictionary are unknown, not O.
  ec_unknown: corpus('ec', 'ec/train + ds_pa', 'ec/dev'),
  news_unknown: corpus('news', 'news/train + ds_pa', 'news/dev'),

  // ---- Nested and discontinuous entities

  genia: corpus('genia', 'genia/genia.train.iob2', 'genia/genia.dev.iob2'),
  germeval14: corpus('germeval14', 'germeval14/germ.train.iob2', 'germeval14/germ.dev.iob2'),
  // The books whose numbers start with 2 are the development data.
  litbank: corpus('litbank', 'litbank/tsv/[!2]*', 'litbank/tsv/2*'),
  // For entities alone: sentences that would be joined only because of a relation stay separate.
  nerel: corpus('nerel', 'nerel/train', 'nerel/dev') + { dataset_reader+: { join_related: false } },
  // In W2NER's JSON, with fixed splits, or in the published form.
  cadec: corpus(
    'cadec',
    'cadec/train.json or ' + data + '/cadec [all but every 10th]',
    'cadec/dev.json or ' + data + '/cadec [every 10th]',
  ),
  harem: divided('harem', 'harem/ColeccaoDouradaHAREM.txt'),

  // ---- Entities and relations

  conll04: corpus('conll04', 'conll04/train.txt', 'conll04/dev.txt'),
  // Prepared by LSTM-ER; for any other form, -o '{"train_data_path": ...}'.
  ace05: corpus('ace05', 'ace05/corpus/train', 'ace05/corpus/dev'),
  // JSON lines of CoType or entrel-joint-mrt. If there is no dev.json, as in CoType, a tenth of the training data is
  // held out.
  nyt: corpus('nyt', 'nyt/train* [all but every 10th]', 'nyt/dev* or ' + data + '/nyt/train* [every 10th]'),

  // ---- Modifications of a corpus

  // The tag scheme of a tagger or joint model: IO, IOB1, BIO, BIOUL, BIOES, ...
  scheme(name): { dataset_reader+: { view+: { scheme: name } } },

  // Drop each annotation of the training data with probability p; validation data stays complete. With -o:
  // dataset_reader.annotation_dropout.probability.
  missing(p): {
    local config = self,
    dataset_reader+: { annotation_dropout: { probability: p } },
    validation_dataset_reader: config.dataset_reader { annotation_dropout:: null, weak:: null },
  },

  // Weak labels for the training data, from sources such as use.dictionary and use.patterns; validation data keeps its
  // annotation. Tokens that no source covers are 'O', or 'UNKNOWN' for use.partial_likelihood(). With
  // keep_annotation=false, the original labels of the training data are discarded.
  weak(sources, uncovered='O', conflicts='first', keep_annotation=true): {
    local config = self,
    dataset_reader+: { weak: {
      sources: sources,
      uncovered: uncovered,
      conflicts: conflicts,
      keep_annotation: keep_annotation,
    } },
    validation_dataset_reader: config.dataset_reader { annotation_dropout:: null, weak:: null },
  },

  // Sources of weak labels: names from files, { TYPE: path }; regular expressions, { TYPE: pattern }; and the
  // predictions of another model.
  dictionary(files, case='match', min_characters=1, priority=0): {
    type: 'dictionary',
    files: files,
    case: case,
    min_characters: min_characters,
    priority: priority,
  },
  patterns(patterns, ignore_case=false, priority=0): {
    type: 'patterns',
    patterns: patterns,
    ignore_case: ignore_case,
    priority: priority,
  },
  predictions(archive, threshold=0.9, types=null, priority=0): {
    type: 'model',
    archive: archive,
    threshold: threshold,
    types: types,
    priority: priority,
  },
}
