"""The parts of the test suite, a module each; run.py runs them."""
