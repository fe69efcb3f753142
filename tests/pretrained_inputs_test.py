"""Hugging Face encoders and ELMo as inputs of a tagger, through config parts."""

import pytest
import torch
from allennlp.commands.train import TrainModel, train_model
from allennlp.common import Params, cached_transformers
from allennlp.common.util import prepare_environment
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model, load_archive
from allennlp.predictors import Predictor
from torch.testing import assert_close

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.training.encoder_rate import EncoderRate
from tests.elmo_files import write_elmo
from tests.encoder_experiments import ENCODER, JOINT, LONG, NOTHING, experiment


def tagger(max_length=16):
    config = experiment(f"use.encoder('{ENCODER}', max_length={max_length})")
    reader = DatasetReader.from_params(Params(config["dataset_reader"]))
    vocab = Vocabulary(tokens_to_add={"labels": ["O", "B-ORG", "I-ORG"]})
    torch.manual_seed(0)
    return reader, Model.from_params(Params(config["model"]), vocab=vocab).eval()


def batch_of(reader, model, *sentences):
    instances = []
    for words in sentences:
        sentence = Sentence(tuple(words), (Entity.of("ORG", 0, 1),))
        instance = reader.text_to_instance(sentence)
        instance.add_field("labels", reader.view.labels(sentence, None)["labels"])
        reader.apply_token_indexers(instance)
        instances.append(instance)
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return batch.as_tensor_dict()


def vectors(reader, model, *sentences):
    with torch.no_grad():
        return model.embedder(batch_of(reader, model, *sentences)["text"])


def test_a_word_is_the_mean_of_its_word_pieces():
    reader, model = tagger()
    (found,) = vectors(reader, model, ("the", "berging"))
    embedder = model.embedder.token_embedder_encoder._matched_embedder
    pieces = reader.token_indexers["encoder"]._tokenizer(["the", "berging"], is_split_into_words=True)
    words = pieces.word_ids()
    with torch.no_grad():
        states = embedder.transformer_model(torch.tensor([pieces["input_ids"]])).last_hidden_state[0]
    assert words.count(1) > 1
    expected = [states[[at for at, word in enumerate(words) if word == number]].mean(0) for number in (0, 1)]
    assert_close(found, torch.stack(expected))


def test_a_long_sentence_is_read_in_windows_and_not_cut():
    reader, model = tagger(max_length=16)
    (found,) = vectors(reader, model, LONG)
    transformer = model.embedder.token_embedder_encoder._matched_embedder.transformer_model
    tokenizer = reader.token_indexers["encoder"]._tokenizer
    pieces = tokenizer(list(LONG), is_split_into_words=True, add_special_tokens=False)
    ids, states = pieces["input_ids"], []
    with torch.no_grad():
        for start in range(0, len(ids), 14):
            window = [tokenizer.cls_token_id, *ids[start : start + 14], tokenizer.sep_token_id]
            states.append(transformer(torch.tensor([window])).last_hidden_state[0, 1:-1])
    assert len(states) > 4
    states, words = torch.cat(states), torch.tensor(pieces.word_ids())
    assert_close(found, torch.stack([states[words == word].mean(0) for word in range(len(LONG))]))


def test_a_sentence_of_one_window_is_the_same_whatever_the_length_of_windows():
    words = ("the", "city", "is", "Gutenberg")
    short, long = (vectors(*tagger(length), words) for length in (32, 60))
    assert_close(short, long)


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_token_without_word_pieces_is_a_vector_of_zeros_among_the_others(nothing, place):
    reader, model = tagger()
    words = ["the", "city", "works"]
    words.insert(place, nothing)
    (found,) = vectors(reader, model, words)
    (without,) = vectors(reader, model, [word for word in words if word != nothing])
    assert not found[place].any()
    assert_close(torch.cat([found[:place], found[place + 1 :]]), without)


@pytest.mark.parametrize("max_length", [16, 60])
def test_sentences_of_nothing_but_such_tokens_train_and_predict(max_length):
    reader, model = tagger(max_length)
    batch = batch_of(reader, model, ("the", NOTHING[0], "works"), NOTHING, (NOTHING[1],), LONG)
    model.train()
    loss = model(**batch)["loss"]
    loss.backward()
    assert loss.isfinite()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
    model.eval()
    found = model.make_output_human_readable(model(**batch))["prediction"]
    assert len(found) == 4
    assert all(0 <= score <= 1 for one in found for _, score in one.entities)


def test_an_encoder_is_tuned_adversarially_archived_and_predicts(tmp_path):
    parts = f"use.encoder('{ENCODER}', max_length=32) + use.adversarial_training(epsilon=0.1)"
    before = Model.from_params(Params(experiment(parts)["model"]), vocab=Vocabulary(tokens_to_add={"labels": ["O"]}))
    model = train_model(Params(experiment(parts)), str(tmp_path))
    weights = [part.embedder.state_dict() for part in (before, model)]
    assert any(not torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    predictor = Predictor.from_archive(load_archive(tmp_path / "model.tar.gz"))
    output = predictor.predict_json({"tokens": ["The", "\u200b", "city", *LONG]})
    assert len(output["tokens"]) == 3 + len(LONG)


def built(parts, system, folder):
    params = Params(experiment(parts, system=system))
    prepare_environment(params)
    return TrainModel.from_params(params=params, serialization_dir=str(folder), local_rank=0)


def parameters_and_rates(model, optimizer):
    rates = {id(parameter): group["lr"] for group in optimizer.param_groups for parameter in group["params"]}
    return {name: rates.get(id(parameter)) for name, parameter in model.named_parameters()}


SPAN = "use.demo + use.span() + use.nll"
RELATIONS = "use.conll04 + use.joint_relation() + use.softmax + use.nll"
TAGS = "use.demo + use.tagger + use.crf + use.nll"


@pytest.mark.parametrize("system", [TAGS, SPAN, RELATIONS])
def test_a_tuned_encoder_learns_slowly_after_a_warm_up_with_a_faster_head(system, tmp_path):
    made = built(f"use.encoder('{ENCODER}', max_length=32)", system, tmp_path)
    trainer, encoder = made.trainer, made.model.encoder.get_output_dim()
    assert encoder == 16
    highest = dict.fromkeys((True, False), 0.0)
    steps = 40
    trainer._learning_rate_scheduler.num_steps_per_epoch = steps
    for step in range(steps):
        trainer._learning_rate_scheduler.step_batch(step)
        for name, rate in parameters_and_rates(made.model, trainer.optimizer).items():
            highest[".token_embedder_encoder." in name] = max(highest[".token_embedder_encoder." in name], rate)
        if step == 0:
            assert max(highest.values()) < 5e-5
    assert highest == pytest.approx({True: 2e-5, False: 5e-4}, rel=0.1)
    made.run()


def test_a_frozen_encoder_is_unchanged(tmp_path):
    parts = f"use.encoder('{ENCODER}', frozen=true, max_length=32)"
    before = Model.from_params(Params(experiment(parts)["model"]), vocab=Vocabulary(tokens_to_add={"labels": ["O"]}))
    model = train_model(Params(experiment(parts)), str(tmp_path))
    assert_close(model.embedder.state_dict(), before.embedder.state_dict())


def test_an_encoder_in_a_folder_is_read_without_a_bar(capfd):
    cached_transformers._clear_caches()
    cached_transformers.get(str(ENCODER), make_copy=False)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("rate", [2e-5, 1e-3])
def test_a_rate_that_would_ruin_a_tuned_encoder_is_warned_of_before_training(rate, tmp_path, caplog):
    made = built(f"use.encoder('{ENCODER}', rate={rate}, max_length=32)", TAGS, tmp_path)
    EncoderRate(str(tmp_path)).on_start(made.trainer)
    assert ("tuned with a learning rate of 0.001" in caplog.text) == (rate == 1e-3)
    assert EncoderRate in [type(callback) for callback in made.trainer._callbacks]


def test_an_encoder_is_tuned_by_minimum_risk_on_entities_and_relations(tmp_path):
    parts = f"use.encoder('{ENCODER}', max_length=32) + use.minimum_risk(0, alpha=1.0, mu=0.5)"
    model = train_model(Params(experiment(parts, system=JOINT)), str(tmp_path))
    assert all(parameter.isfinite().all() for parameter in model.parameters())
    predictor = Predictor.from_archive(load_archive(tmp_path / "model.tar.gz"))
    output = predictor.predict_json({"tokens": ["The", "city", *LONG]})
    assert len(output["tokens"]) == 2 + len(LONG) and "relations" in output


def test_elmo_is_combined_with_word_vectors_and_is_frozen(tmp_path):
    (tmp_path / "vectors").mkdir()
    write_elmo(tmp_path / "vectors")
    (tmp_path / "vectors" / "words.vec").write_text("2 3\nthe 1 2 3\nand 4 5 6\n")
    parts = "use.word_vectors('words.vec', 3) + use.elmo('tiny_elmo') + use.character_bilstm(4, 5)"
    config = experiment(parts + " + use.adversarial_training(epsilon=0.1, embedders=['words'])", tmp_path)
    model = train_model(Params(config), str(tmp_path / "run"))
    assert model.encoder.get_input_dim() == 3 + 8 + 10
    elmo = model.embedder.token_embedder_elmo
    trained = {name for name, parameter in elmo.named_parameters() if parameter.requires_grad}
    assert trained and all("scalar_mix" in name for name in trained)
    assert all(p.isfinite().all() for p in model.parameters())
    archived = load_archive(tmp_path / "run" / "model.tar.gz").model
    assert_close(archived.state_dict(), model.state_dict())
