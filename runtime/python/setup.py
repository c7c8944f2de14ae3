"""Builds the wheel: `make python` copies libcqlgen.so.1 into the package and runs this with CQLGEN_VERSION."""
import os

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel


class WithLibrary(Distribution):
    """The wheel is for one platform."""

    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    """The library needs no particular version of Python."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(name="cqlgen", version=os.environ["CQLGEN_VERSION"], packages=["cqlgen"], python_requires=">=3.9", license="MIT",
      description="Searches chess games with queries in CQL, the Chess Query Language",
      package_data={"cqlgen": ["py.typed", "libcqlgen.so.1"]}, distclass=WithLibrary, cmdclass={"bdist_wheel": AnyPython})
