"""Named entity recognition models and losses for AllenNLP. Importing the package registers all of its parts."""

from ner_zoo import compat

compat.apply()

import ner_zoo.commands  # noqa: E402
import ner_zoo.losses  # noqa: E402
import ner_zoo.models  # noqa: E402
import ner_zoo.modules  # noqa: E402
import ner_zoo.predictors  # noqa: E402
import ner_zoo.training  # noqa: E402, F401
