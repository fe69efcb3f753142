"""A tiny ELMo with random weights, in ELMo's two files."""

import json
from pathlib import Path

import h5py
import numpy as np


def write_elmo(folder: Path, name: str = "tiny_elmo", projection: int = 4, cells: int = 6, layers: int = 2) -> None:
    """`NAME_options.json` and `NAME_weights.hdf5`; its vectors have twice the size of `projection`."""
    draw = np.random.default_rng(0)
    filters = [[1, 3], [2, 5]]
    total = sum(number for _, number in filters)
    options = {
        "lstm": {
            "use_skip_connections": True,
            "projection_dim": projection,
            "cell_clip": 3,
            "proj_clip": 3,
            "dim": cells,
            "n_layers": layers,
        },
        "char_cnn": {
            "activation": "relu",
            "filters": filters,
            "n_highway": 1,
            "embedding": {"dim": 4},
            "n_characters": 262,
            "max_characters_per_token": 50,
        },
    }
    (folder / f"{name}_options.json").write_text(json.dumps(options))

    def weights(*shape: int) -> np.ndarray:
        return draw.normal(0, 0.5, shape).astype(np.float32)

    with h5py.File(folder / f"{name}_weights.hdf5", "w") as file:
        file["char_embed"] = weights(261, 4)
        for number, (width, filters_of_width) in enumerate(filters):
            file[f"CNN/W_cnn_{number}"] = weights(1, width, 4, filters_of_width)
            file[f"CNN/b_cnn_{number}"] = weights(filters_of_width)
        for gate in ("transform", "carry"):
            file[f"CNN_high_0/W_{gate}"] = weights(total, total)
            file[f"CNN_high_0/b_{gate}"] = weights(total)
        file["CNN_proj/W_proj"] = weights(total, projection)
        file["CNN_proj/b_proj"] = weights(projection)
        for direction in range(2):
            for layer in range(layers):
                cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
                file[f"{cell}/W_0"] = weights(2 * projection, 4 * cells)
                file[f"{cell}/B"] = weights(4 * cells)
                file[f"{cell}/W_P_0"] = weights(cells, projection)
