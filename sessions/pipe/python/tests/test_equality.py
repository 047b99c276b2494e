"""A search steered from Python equals, to the last digit, the one that the commands make."""

from __future__ import annotations

import json
import subprocess

import bandscope
from bandscope import Objective, Problem, Real, Session

ESPRESSO = Problem("espresso", [Real("dose", 14, 20), Real("time", 20, 40)],
                   [Objective("extraction", "maximize", range=(14, 24)), Objective("bitterness", range=(0, 10))])


def measure(x):
    extraction = 18 + (x["dose"] - 17) / 2 + (x["time"] - 30) / 5
    return {"extraction": extraction, "bitterness": 5 + (extraction - 18) ** 2 / 3 - (x["dose"] - 17) / 3}


class Commands:
    """The acts of the search as commands."""

    def __init__(self, path, problem):
        self.path = str(path)
        declaration = path.with_suffix(".toml")
        declaration.write_text(problem.toml())
        self.run("new", self.path, "--problem", str(declaration), "-o", "mobo-rs-ts", "--seed", "3")

    def run(self, *words):
        return subprocess.run([bandscope.find_binary(), *words], capture_output=True, text=True, check=True).stdout

    def ask(self):
        point = json.loads(self.run("ask", self.path, "--json"))["points"][0]
        return point["point"], point["x"]

    def tell(self, point, result):
        self.run("tell", self.path, str(point), *[f"{k}={v!r}" for k, v in result.items()])

    def steer(self, prior=None, prefer=None, answer="a"):
        words = ["--prior", prior] if prior else ["--prefer", "%d:%d" % prefer, answer]
        self.run("steer", self.path, *words)

    def set(self, **parameters):
        self.run("set", self.path, *[f"{k}={v}" for k, v in parameters.items()])


class Python:
    """The same acts of the package."""

    def __init__(self, session):
        self.session = session
        self.steer, self.set = session.steer, session.set

    def ask(self):
        x = self.session.ask()
        return x.name, dict(x)

    def tell(self, point, result):
        self.session.tell(point, result)


def search(door):
    inputs = []
    for n in range(7):
        if n == 4:
            door.steer(prior="dirichlet(18,6)")
        if n == 5:
            door.steer(prefer=(1, 3), answer="b")
        if n == 6:
            door.set(scalarization="linear")
        point, x = door.ask()
        inputs.append(x)
        door.tell(point, measure(x))
    return inputs


def test_equality(tmp_path):
    by_commands = search(Commands(tmp_path / "commands.jsonl", ESPRESSO))
    with Session.create(tmp_path / "python.jsonl", ESPRESSO, method="mobo-rs-ts", seed=3) as s:
        assert search(Python(s)) == by_commands
        changed = Session.create(tmp_path / "other.jsonl", ESPRESSO, method="mobo-rs-ts", seed=4)
    with changed:
        assert search(Python(changed)) != by_commands
