# `make demo` and `make test` set up everything they need; a Python from 3.10 to 3.13 is all that has to be there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test kill-test compat lint docs gradients clean

demo: $(READY)
	$(BIN)/python scripts/demo.py

test: $(READY)
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

# Kills a run over 300 files at 200 random moments; takes about half an hour.
kill-test: $(READY)
	TFGRADFIX_KILLS=200 TFGRADFIX_KILL_FILES=300 $(BIN)/python -m pytest -s tests/migrate/test_killed.py

# Runs the tests of the proof under TensorFlow 2.10 to 2.21, and the others under each Python; takes about half an hour.
compat: $(READY)
	$(BIN)/python scripts/compat.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python scripts/document_codemods.py

# Asks TensorFlow which of its functions carry no gradient; takes about five minutes.
gradients: $(READY)
	$(BIN)/python -m scripts.tensorflow_gradients tfgradfix/analyse/facts/tensorflow_gradients.json

clean:
	rm -rf $(VENV) .compat .demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[tensorflow,dev]'
	touch $(READY)
