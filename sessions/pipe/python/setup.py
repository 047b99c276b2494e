"""A wheel that carries the program is for one platform; one without it is for all."""

from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel

CARRIED = any(p.name.startswith("bandscope") for p in (Path(__file__).parent / "src/bandscope/_bin").glob("*"))


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not CARRIED

    def get_tag(self):
        platform = super().get_tag()[2]
        return ("py3", "none", platform if CARRIED else "any")


setup(cmdclass={"bdist_wheel": PlatformWheel})
