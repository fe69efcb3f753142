"""Runs the compiled loops of training whose sums may be rearranged on fixed inputs, and prints the results exactly."""

import hashlib

import torch

from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.lstm_recurrence import Steps, recur
from ner_zoo.structures import LinearChain
from ner_zoo.training.worst_change import worst_change


def show(name: str, *tensors: torch.Tensor) -> None:
    numbers = b"".join(tensor.detach().contiguous().numpy().tobytes() for tensor in tensors)
    print(name, hashlib.sha256(numbers).hexdigest())


def lstm() -> None:
    lengths, positions = torch.tensor([20, 1, 7, 13, 20]), 20
    inputs = torch.randn(len(lengths) * positions, 30, requires_grad=True)
    shapes = (80, 30), (80, 20), (80,), (80,)
    weights = [tuple(torch.randn(shape, requires_grad=True) for shape in shapes) for _ in range(2)]
    steps = Steps.of(lengths, positions)
    states = recur(inputs, weights, steps)
    states.square().sum().backward()
    show("LSTM", states, inputs.grad, *(part.grad for direction in weights for part in direction))
    with torch.no_grad():
        show("LSTM without gradients", recur(inputs, weights, steps))


def chain() -> None:
    scores = torch.randn(6, 40, 33, requires_grad=True)
    transitions = torch.randn(33, 33, requires_grad=True)
    mask = torch.arange(40).unsqueeze(0) < torch.tensor([[40], [1], [23], [0], [7], [2]])
    structure = LinearChain(scores, transitions, mask)
    total = structure.log_partition()
    total.sum().backward()
    show("sum over labellings", total, scores.grad, transitions.grad)
    show("marginals and entropy", structure.marginals(), structure.entropy())


torch.manual_seed(0)
lstm()
chain()
show("perturbation", worst_change(*torch.randn(2, 3, 4, 30), 0.3, True))
show("dropout", Dropout(0.3)(torch.randn(5, 41)))
