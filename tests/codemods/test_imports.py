"""Where `import tensorflow as tf` goes, and under which name."""

from __future__ import annotations

import libcst as cst
import pytest
from tfgradfix_codemods.imports import add_tensorflow, free_alias
from tfgradfix_codemods.numpy_call import NumpyCallCommand

from tests.helpers import rewritten
from tfgradfix.model import Operand

PLACES = [
    pytest.param("x = 1\n", "import tensorflow as tf\n\nx = 1\n", id="no import"),
    pytest.param('"""Doc."""\nx = 1\n', '"""Doc."""\n\nimport tensorflow as tf\n\nx = 1\n', id="below the docstring"),
    pytest.param(
        "# Copyright\n\n# Why\nx = 1\n", "# Copyright\n\n# Why\nimport tensorflow as tf\n\nx = 1\n", id="below the head"
    ),
    pytest.param(
        "from __future__ import annotations\nx = 1\n",
        "from __future__ import annotations\n\nimport tensorflow as tf\n\nx = 1\n",
        id="below __future__",
    ),
    pytest.param(
        "import os\n\nimport numpy as np\nimport wandb\n\nx = 1\n",
        "import os\n\nimport numpy as np\nimport tensorflow as tf\nimport wandb\n\nx = 1\n",
        id="in the alphabet of the others",
    ),
    pytest.param(
        "import numpy as np\nfrom scipy import special\n\nx = 1\n",
        "import numpy as np\nimport tensorflow as tf\nfrom scipy import special\n\nx = 1\n",
        id="before the from-imports",
    ),
    pytest.param(
        "import os\n\nimport wandb\nx = 1\n",
        "import os\n\nimport tensorflow as tf\nimport wandb\nx = 1\n",
        id="first of its kind",
    ),
    pytest.param(
        "from numpy import array\nx = 1\n",
        "from numpy import array\nimport tensorflow as tf\nx = 1\n",
        id="only from-imports",
    ),
    pytest.param(
        "import os\nimport sys\n\nx = 1\n",
        "import os\nimport sys\n\nimport tensorflow as tf\n\nx = 1\n",
        id="own block",
    ),
    pytest.param(
        "import os\n\nfrom . import a\n",
        "import os\n\nimport tensorflow as tf\n\nfrom . import a\n",
        id="above relative ones",
    ),
    pytest.param(
        "from . import a\nx = 1\n",
        "import tensorflow as tf\n\nfrom . import a\nx = 1\n",
        id="above relative ones alone",
    ),
    pytest.param(
        "import numpy\r\nx = 1", "import numpy\r\nimport tensorflow as tf\r\nx = 1", id="CRLF, no final newline"
    ),
    pytest.param(
        "try:\n    import numpy\nexcept ImportError:\n    pass\n",
        "import tensorflow as tf\n\ntry:\n    import numpy\nexcept ImportError:\n    pass\n",
        id="imports that may fail are no place",
    ),
]
NAMES = [
    pytest.param("x = 1\n", "tf", id="free"),
    pytest.param("def f():\n    import tensorflow as tf\n    tf.ones(1)\n", "tf", id="TensorFlow in a function"),
    pytest.param("import tensorflow.keras\n", "tf", id="only part of it imported"),
    pytest.param("tf = 3\n", "tensorflow", id="a variable"),
    pytest.param("def f(tf): pass\n", "tensorflow", id="a parameter"),
    pytest.param("def tf(): pass\n", "tensorflow", id="a function"),
    pytest.param("import transfer as tf\n", "tensorflow", id="another module"),
    pytest.param("from tensorflow import function as tf\n", "tensorflow", id="a part of TensorFlow"),
    pytest.param("from a import *\nprint(tf)\n", "tensorflow", id="perhaps from a star import"),
    pytest.param("try: pass\nexcept E as tf: pass\n", "tensorflow", id="an exception"),
    pytest.param("def f():\n    global tf\n", "tensorflow", id="global"),
    pytest.param("tf = tensorflow = 3\n", "_tf", id="both taken"),
    pytest.param("tf = tensorflow = _tf = tf2 = 3\n", "tf3", id="all taken"),
    pytest.param("import tensorflow as tf\ndef f(tf): pass\n", "tensorflow", id="shadowed in one function"),
]


@pytest.mark.parametrize(("before", "after"), PLACES)
def test_place(before: str, after: str) -> None:
    assert add_tensorflow(cst.parse_module(before), "tf").code == after


@pytest.mark.parametrize(("text", "alias"), NAMES)
def test_name(text: str, alias: str) -> None:
    assert free_alias(text) == alias


def test_import_comes_with_the_repair() -> None:
    tensor = Operand("tensor", "float32", 1, on_path=True)
    after = rewritten(
        NumpyCallCommand,
        "import numpy as np\ntf = 0\ny = «np.square(x)»\n",
        symbol="numpy.square",
        operands=[tensor],
        tensorflow=None,
    )
    assert after == "import numpy as np\nimport tensorflow\ntf = 0\ny = tensorflow.square(x)\n"
