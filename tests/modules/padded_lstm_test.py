import pytest
import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PytorchSeq2SeqWrapper
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck
from torch.testing import assert_close

from ner_zoo.modules.lstm_recurrence import Layer, unchanged_weights
from ner_zoo.modules.padded_lstm import PaddedLstm, _packed, _weights, of_distinct

LENGTHS = [3, 7, 0, 1, 5, 7]


def batch(lengths=LENGTHS, size: int = 5, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    torch.manual_seed(1)
    mask = torch.arange(max(lengths)).unsqueeze(0) < torch.tensor(lengths).unsqueeze(1)
    return torch.randn(*mask.shape, size, dtype=dtype), mask


def stock(lstm: PaddedLstm, layers: int) -> PytorchSeq2SeqWrapper:
    """AllenNLP's wrapper of torch's packed LSTM, with the same weights."""
    torch_lstm = torch.nn.LSTM(
        lstm.input_size, lstm.layers[0].hidden_size, layers, batch_first=True, bidirectional=lstm.bidirectional
    ).double()
    for number, layer in enumerate(lstm.layers):
        for name, weight in layer.named_parameters():
            getattr(torch_lstm, name.replace("_l0", f"_l{number}")).data.copy_(weight)
    return PytorchSeq2SeqWrapper(torch_lstm)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("layers", [1, 2])
def test_states_and_gradients_are_those_of_the_packed_lstm(bidirectional, layers):
    torch.manual_seed(0)
    lstm = PaddedLstm(5, 4, layers, bidirectional).double()
    other = stock(lstm, layers)
    inputs, mask = batch()
    results = []
    for encoder in (lstm, other):
        leaf = inputs.clone().requires_grad_()
        states = encoder(leaf, mask)
        # A loss that weights every state differently.
        (states * torch.arange(states.numel()).view_as(states).sin()).sum().backward()
        results.append((states, leaf.grad))
    assert_close(results[0], results[1])
    ours, theirs = dict(lstm.layers[-1].named_parameters()), dict(other._module.named_parameters())
    for name, weight in ours.items():
        assert_close(weight.grad, theirs[name.replace("_l0", f"_l{layers - 1}")].grad)


def test_single_precision_agrees_with_the_packed_lstm():
    lstm = PaddedLstm(5, 40)
    inputs, mask = batch(dtype=torch.float32)
    assert_close(lstm(inputs, mask), _packed(lstm.layers[0], inputs, mask.sum(1)), rtol=1e-5, atol=1e-6)


def test_states_are_0_on_padding_whatever_it_holds():
    lstm = PaddedLstm(5, 4).double()
    inputs, mask = batch()
    states = lstm(inputs, mask)
    assert not states[~mask].any()
    assert torch.equal(lstm(inputs.masked_fill(~mask.unsqueeze(2), float("nan")), mask), states)


def test_a_sentence_has_the_same_states_alone_and_in_a_batch():
    lstm = PaddedLstm(5, 4, num_layers=2).double()
    inputs, mask = batch()
    alone = lstm(inputs[:1, :3], mask[:1, :3])
    assert_close(lstm(inputs, mask)[:1, :3], alone)


@pytest.mark.parametrize("lengths", [[0, 0], [1], [2, 1]])
def test_gradients_are_right_to_the_second_order(lengths):
    torch.manual_seed(0)
    lstm = PaddedLstm(2, 2).double()
    mask = torch.arange(2).unsqueeze(0) < torch.tensor(lengths).unsqueeze(1)
    inputs = torch.randn(len(lengths), 2, 2, dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda part, *_: lstm(part, mask), (inputs, *lstm.parameters()))
    assert gradgradcheck(lambda part, *_: lstm(part, mask), (inputs, *lstm.parameters()))


def test_dropout_is_between_layers_and_in_training_only():
    inputs, mask = batch()
    lstm = PaddedLstm(5, 4, num_layers=2, dropout=0.5).double()
    assert not torch.equal(lstm(inputs, mask), lstm(inputs, mask))
    lstm.eval()
    assert torch.equal(lstm(inputs, mask), lstm(inputs, mask))
    single = PaddedLstm(5, 4, dropout=0.5).double()
    assert torch.equal(single(inputs, mask), single(inputs, mask))


def test_extreme_inputs_saturate_and_do_not_overflow():
    lstm = PaddedLstm(5, 4)
    inputs, mask = batch(dtype=torch.float32)
    leaf = (1e6 * inputs).requires_grad_()
    states = lstm(leaf, mask)
    states.sum().backward()
    assert states.isfinite().all() and states.abs().max() <= 1 and leaf.grad.isfinite().all()


def test_it_is_an_encoder_with_its_sizes():
    lstm = Seq2SeqEncoder.by_name("padded_lstm")(input_size=5, hidden_size=4, num_layers=2)
    assert (lstm.get_input_dim(), lstm.get_output_dim(), lstm.is_bidirectional()) == (5, 8, True)
    assert PaddedLstm(5, 4, bidirectional=False).get_output_dim() == 4


def test_it_runs_in_inference_mode():
    lstm = PaddedLstm(5, 4).double()
    inputs, mask = batch()
    expected = lstm(inputs, mask)
    with torch.inference_mode():
        assert_close(lstm(inputs, mask), expected)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("layers", [1, 2])
def test_distinct_vectors_have_the_states_of_the_same_vectors_at_all_their_places(bidirectional, layers):
    torch.manual_seed(0)
    lstm = PaddedLstm(5, 4, layers, bidirectional).double().eval()
    vectors = torch.randn(6, 5, dtype=torch.float64)
    places = torch.tensor([[3, 1, 3, 0], [5, 5, 2, 4], [0, 0, 0, 0]])
    expected = lstm(vectors[places], places > 0)
    with torch.no_grad():
        assert_close(of_distinct(lstm, vectors, places), expected)


def test_two_passes_with_unchanged_weights_have_the_states_and_gradients_of_passes_apart():
    encoder = PaddedLstm(3, 4, num_layers=2).double()
    batches = [torch.randn(2, 3, 3, dtype=torch.float64) for _ in range(2)]
    mask = torch.tensor([[True, True, True], [True, True, False]])

    def gradients() -> list[Tensor]:
        return [torch.autograd.grad(encoder(batch, mask).pow(2).sum(), encoder.parameters()) for batch in batches]

    apart = gradients()
    with unchanged_weights():
        together = gradients()
    assert all(torch.equal(*pair) for parts in zip(apart, together) for pair in zip(*parts))


def test_a_weight_that_changed_between_two_steps_is_noticed():
    encoder = PaddedLstm(3, 4)
    inputs, mask = torch.randn(1, 2, 3), torch.ones(1, 2, dtype=torch.bool)
    with unchanged_weights():
        before = encoder(inputs, mask)
    # As moving averages do, which torch does not count as a change.
    for parameter in encoder.parameters():
        parameter.data.mul_(2.0)
    with unchanged_weights():
        assert not torch.equal(encoder(inputs, mask), before)


def test_weights_are_arranged_once_while_they_are_unchanged():
    weights = _weights(torch.nn.LSTM(3, 4, bidirectional=True))
    with unchanged_weights():
        assert Layer.of(weights) is Layer.of(weights)
    assert Layer.of(weights) is not Layer.of(weights)
