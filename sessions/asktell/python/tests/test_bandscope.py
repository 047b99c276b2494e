"""Tests of the package against the built program, which BANDSCOPE_BINARY names."""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET

import pytest

import bandscope
from bandscope import BandscopeError, Choice, Integer, Limit, Objective, Ordered, Problem, Real, Session, minimize

COFFEE = Problem("coffee", [Real("grind", 1, 10)], [Objective("taste", "maximize", range=(0, 10))])
OVEN = Problem("oven", [Real("time", 1, 9, unit="min"), Integer("eggs", 0, 4), Ordered("flour", [100, 200, 400]),
                        Choice("sugar", ["white", "brown"])],
               [Objective("rise", "maximize", range=(0, 5)), Objective("crumbs", range=(0, 1), noise=0.1)],
               limits=[Limit("heat", at_most=250)], constraints=["eggs + time <= 11"], about='for "Sunday"')


def taste(x):
    return 9 - (x["grind"] - 6.5) ** 2 / 4


@pytest.fixture
def coffee(tmp_path):
    with Session.create(tmp_path / "coffee.jsonl", COFFEE, method="gp-ei", seed=7) as s:
        yield s


def run(s, n):
    for _ in range(n):
        x = s.ask()
        s.tell(x, taste(x))


def code(call, *args, **more):
    with pytest.raises(BandscopeError) as err:
        call(*args, **more)
    return err.value.code


def test_search(coffee):
    run(coffee, 10)
    best = coffee.best()["observed"]
    assert best["value"]["taste"] > 8.9 and abs(best["x"]["grind"] - 6.5) < 0.6
    assert coffee.status()["steps"] == 10
    assert coffee.variables == ["grind"] and coffee.outputs == ["taste"]


def test_points_are_mappings(coffee):
    x = coffee.ask()
    assert list(x) == ["grind"] and dict(x) == {"grind": x["grind"]} and len(x) == 1
    assert 1 <= x["grind"] <= 10 and x.name == 1 and "grind" in repr(x)
    assert coffee.ask().name == x.name  # it is pending
    assert coffee.ask_many(3)[0].name == x.name
    assert len(coffee.ask_many(2, more=True)) == 2


def test_same_search_in_python_and_at_the_shell(coffee, tmp_path):
    run(coffee, 6)
    other = tmp_path / "shell.jsonl"
    (tmp_path / "coffee.toml").write_text(COFFEE.toml())

    def shell(*args):
        return subprocess.run([bandscope.find_binary(), *args], cwd=tmp_path, check=True, capture_output=True,
                              text=True).stdout

    shell("new", str(other), "--problem", "coffee.toml", "-o", "gp-ei", "--seed", "7")
    for step in range(1, 7):
        x = __import__("json").loads(shell("ask", str(other), "--json"))["x"]
        shell("tell", str(other), str(step), f"taste={taste(x)!r}")
    again = Session(other)
    assert [r["grind"] for r in rows(again)] == [r["grind"] for r in rows(coffee)]


def rows(s):
    found = s.dataframe()
    return found if isinstance(found, list) else found.to_dict("records")


def test_results(coffee):
    run(coffee, 2)
    coffee.tell({"grind": 3.0}, 5)
    x = coffee.ask()
    coffee.tell(x, failed="it leaked")
    found = rows(coffee)
    assert [r["step"] for r in found] == [1, 2, 3, 4]
    assert found[2]["grind"] == 3 and found[2]["taste"] == 5 and found[3]["failed"] == "it leaked"


def test_errors(coffee, tmp_path):
    assert code(coffee.tell, 99, 1.0) == "not pending"
    x = coffee.ask()
    assert code(coffee.tell, x, 99.0) == "doubtful"
    assert code(coffee.tell, x, [1.0, 2.0]) == "request"
    assert code(coffee.tell, x, {"tast": 1.0}) == "request"
    coffee.tell(x, 5.0)
    assert code(coffee.tell, x, 6.0) == "told"
    assert code(coffee.set, method="gp-eii") == "request"
    assert code(coffee.set, no_such_parameter=1) == "request"
    assert code(Session, tmp_path / "none.jsonl") == "request"
    assert code(Session.create, tmp_path / "coffee.jsonl", COFFEE) in ("request", "failed")
    assert code(coffee.predict, [[1.0, 2.0]]) == "request"
    err = BandscopeError("told", "a", "b")
    assert pickle.loads(pickle.dumps(err)).hint == "b" and str(err) == "a; b"


def test_declarations(tmp_path):
    with Session.create(tmp_path / "oven.jsonl", OVEN, method="parego", seed=2) as s:
        x = s.ask()
        assert set(x) == {"time", "eggs", "flour", "sugar"}
        assert x["sugar"] in ("white", "brown") and x["flour"] in (100, 200, 400) and x["eggs"] + x["time"] <= 11
        said = s.tell(x, {"rise": 3})
        assert set(said["missing"]) == {"crumbs", "heat"}
        s.tell(x, {"crumbs": 0.5, "heat": 200}, sd={"crumbs": 0.1})
        assert s.outputs == ["rise", "crumbs", "heat"]
        s.tell({"time": 2, "eggs": 1, "flour": 200, "sugar": "brown"}, [2.0, 0.2, 180])
        front = s.front()
        assert len(front) >= 1


def test_steering(tmp_path):
    with Session.create(tmp_path / "s.jsonl", "thesis-xy", method="mobo-rs-ts", seed=3,
                        parameters={"initial": 4, "restarts": 1}) as s:
        x = s.ask_many(1)
        assert x
        assert "18" in s.steer("dirichlet(18, 6)")["prior"]
        assert s.steer(box={name: (0, 1) for name in s.outputs})["prior"].startswith("box")
        s.set(restarts=2)
        s.note("the prior is changed", mark=True)
        assert code(s.steer, "dirichlet(18") == "request"


def test_what_the_model_believes(coffee):
    run(coffee, 6)
    said = coffee.predict([{"grind": 2.0}, {"grind": 6.5}], quantiles=[0.05, 0.95])
    mean, sd = said["mean"]["taste"], said["sd"]["taste"]
    assert len(mean) == 2 and all(v >= 0 for v in sd) and mean[1] > mean[0]
    assert [list(v) for v in coffee.predict([[2.0], [6.5]])["mean"].values()][0] == pytest.approx(list(mean))
    drawn = coffee.sample([[2.0], [6.5]], count=3, seed=1)
    assert drawn
    assert coffee.why() and coffee.check()
    root = ET.fromstring(coffee.picture())
    assert root.tag.endswith("svg")
    assert coffee._repr_html_().startswith("<svg")


def test_changes(coffee):
    run(coffee, 2)
    coffee.correct(1, 7.5, reason="misread")
    assert rows(coffee)[0]["taste"] == 7.5
    coffee.narrow("grind", 2, 5)
    x = coffee.ask()
    assert 2 <= x["grind"] <= 5
    coffee.discard(x, "too fine")
    assert coffee.ask().name != x.name
    coffee.narrow("grind", free=True)
    assert len(coffee.history()) >= 5
    assert coffee.history()[-1]["by"]["via"] == "python"


def test_minimize(tmp_path):
    found = minimize(lambda x: (x[0] - 0.3) ** 2 + (x[1] + 1) ** 2, [(-1, 1), (-2, 2)], 14, method="gp-ei", seed=1)
    assert found.fun < 0.05 and len(found.x) == 2 and found.n == 14
    assert rows(found.session)[0]["step"] == 1

    def fails(x):
        if x["mode"] == "bad":
            raise ValueError("no such mode")
        return x["a"]

    kept = tmp_path / "m.jsonl"
    one = minimize(fails, {"a": (0, 1), "mode": ["good", "bad"]}, 8, path=kept)
    assert one.x["mode"] == "good" and one.n == 8
    assert minimize(fails, {"a": (0, 1), "mode": ["good", "bad"]}, 10, path=kept).n == 10  # goes on
    with pytest.raises(BandscopeError):
        minimize(lambda x: math.nan, [(0, 1)], 2)


def test_threads(coffee):
    told, lock = [], threading.Lock()

    def work():
        for _ in range(3):
            with lock:
                x = coffee.ask_many(1, more=True)[0]
            coffee.tell(x, taste(x))
            told.append(x.name)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(told)) == 12 and coffee.status()["steps"] == 12


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill")
def test_killed_client_loses_nothing(tmp_path):
    path = tmp_path / "k.jsonl"
    Session.create(path, COFFEE, method="random").close()
    client = ("import bandscope, sys\n"
              f"s = bandscope.Session({str(path)!r})\n"
              "while True:\n"
              "    x = s.ask(); s.tell(x, 5); print(x.name, flush=True)\n")
    for _ in range(3):
        child = subprocess.Popen([sys.executable, "-c", client], stdout=subprocess.PIPE, env=dict(os.environ))
        last = 0
        for line in child.stdout:
            last = int(line)
            if last % 7 == 0:
                break
        child.kill()
        child.wait()
        child.stdout.close()
        assert Session(path).status()["steps"] >= last


def test_program_ends(coffee):
    coffee.ask()
    coffee._pipe._process.kill()
    coffee._pipe._reader.join()
    x = coffee.ask()  # by another process
    assert x.name == 1


def test_binary(monkeypatch, tmp_path):
    monkeypatch.setenv("BANDSCOPE_BINARY", str(tmp_path))
    with pytest.raises(BandscopeError) as err:
        bandscope.find_binary()
    assert err.value.code == "binary" and "BANDSCOPE_BINARY" in str(err.value)
    monkeypatch.delenv("BANDSCOPE_BINARY")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BandscopeError):
        bandscope.find_binary()


def test_hostile_names(tmp_path):
    p = Problem("a\x1b[31m", [Real("x", 0, 1)], [Objective("y")])
    assert code(Session.create, tmp_path / "h.jsonl", p) == "request"
    assert code(Session.create, tmp_path / "h.jsonl", Problem("a", [Real("x", 1, 0)], [Objective("y")])) == "request"
    assert not (tmp_path / "h.jsonl").exists()
