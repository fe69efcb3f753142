// Corpora: any files by their reader, and the known ones below $NER_ZOO_DATA, with the published file names.
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
  // Your own files, by the name of their reader and with its options: use.corpus('conll', 'train.tsv', 'dev.tsv').
  corpus(reader, train, validation, options={}): files(reader, train, validation, options),

  // The bundled corpus, from the root of the repository.
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

  // Human annotation and distant supervision, which misses what is not in a dictionary.
  ec: corpus('ec', 'ec/train + ds_fa', 'ec/dev'),
  news: corpus('news', 'news/train + ds_fa', 'news/dev'),
  // The same, but what is not in the dictionary is unknown, not O.
  ec_unknown: corpus('ec', 'ec/train + ds_pa', 'ec/dev'),
  news_unknown: corpus('news', 'news/train + ds_pa', 'news/dev'),

  // ---- Nested and discontinuous entities

  genia: corpus('genia', 'genia/genia.train.iob2', 'genia/genia.dev.iob2'),
  germeval14: corpus('germeval14', 'germeval14/germ.train.iob2', 'germeval14/germ.dev.iob2'),
  // The books whose numbers begin with 2 are the development data.
  litbank: corpus('litbank', 'litbank/tsv/[!2]*', 'litbank/tsv/2*'),
  // For entities alone: sentences that are joined only by a relation stay separate.
  nerel: corpus('nerel', 'nerel/train', 'nerel/dev') + { dataset_reader+: { join_related: false } },
  // In W2NER's JSON, whose splits are fixed, or as published.
  cadec: corpus(
    'cadec',
    'cadec/train.json or ' + data + '/cadec [all but every 10th]',
    'cadec/dev.json or ' + data + '/cadec [every 10th]',
  ),
  harem: divided('harem', 'harem/ColeccaoDouradaHAREM.txt'),

  // ---- Entities and relations

  conll04: corpus('conll04', 'conll04/train.txt', 'conll04/dev.txt'),
  // As LSTM-ER prepares it; for any other form of it, -o '{"train_data_path": ...}'.
  ace05: corpus('ace05', 'ace05/corpus/train', 'ace05/corpus/dev'),
  // CoType's or entrel-joint-mrt's JSON lines. CoType has no dev.json: without one, a tenth of the training data is held out.
  nyt: corpus('nyt', 'nyt/train* [all but every 10th]', 'nyt/dev* or ' + data + '/nyt/train* [every 10th]'),

  // ---- What is done to a corpus

  // The tag scheme of a tagger or joint model: IO, IOB1, BIO, BIOUL, BIOES, ...
  scheme(name): { dataset_reader+: { view+: { scheme: name } } },

  // Forget each annotation of the training data with probability p; validation data stay complete. By -o:
  // dataset_reader.annotation_dropout.probability.
  missing(p): {
    local config = self,
    dataset_reader+: { annotation_dropout: { probability: p } },
    validation_dataset_reader: config.dataset_reader { annotation_dropout:: null, weak:: null },
  },

  // Weak labels for the training data, from sources such as use.dictionary and use.patterns; validation data keep their annotation. What
  // no source covers is 'O', or 'UNKNOWN' for use.partial_likelihood(). If keep_annotation is false, the training data's own labels are
  // forgotten.
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

  // Sources of weak labels: names from files, { TYPE: path }; regular expressions, { TYPE: pattern }; and another model's predictions.
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
