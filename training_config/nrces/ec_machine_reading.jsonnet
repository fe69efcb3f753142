// Machine reading (BERT-MRC) on EC: one question per type, with the encoder of ec_nll_encoder. The best epoch of five was the third.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.nll
+ use.machine_reading(std.extVar('NER_ZOO_DATA') + '/encoders/m3e-small', {
  cp: '找出商品名称，例如手机、衣服、食品。',
  pp: '找出品牌名称，即生产商品的公司或商标。',
  gg: '找出商品的规格，例如尺寸、重量、容量。',
  xh: '找出商品的型号，由字母和数字组成。',
  yl: '找出商品的材料或原料。',
}, warmup=null, epochs=3)
