"""Tests of the package against the built program, which BANDSCOPE_BINARY names."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import xml.etree.ElementTree as ET

import pytest

import bandscope
from bandscope import BandscopeError, Choice, Integer, Limit, Mixture, Objective, Ordered, Problem, Real, Session, \
    minimize

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
    assert len(coffee.ask_many(2, new=True)) == 2


def test_same_search_in_python_and_at_the_shell(coffee, tmp_path):
    run(coffee, 6)
    other = tmp_path / "shell.jsonl"
    (tmp_path / "coffee.toml").write_text(COFFEE.toml())

    def shell(*args):
        return subprocess.run([bandscope.find_binary(), *args], cwd=tmp_path, check=True, capture_output=True,
                              text=True).stdout

    shell("new", str(other), "--problem", "coffee.toml", "-o", "gp-ei", "--seed", "7")
    for step in range(1, 7):
        x = json.loads(shell("ask", str(other), "--json"))["points"][0]["x"]
        shell("tell", str(other), str(step), f"taste={taste(x)!r}")
    again = Session(other)
    assert [r["grind"] for r in rows(again)] == [r["grind"] for r in rows(coffee)]


def rows(s):
    found = s.dataframe()
    return found if isinstance(found, list) else found.to_dict("records")


def test_plates(coffee):
    for shift in (0.0, -1.0):
        plate = coffee.ask_many(0, plate={"size": "2x4", "controls": 2})
        wells = [x.details["well"] for x in plate]
        assert len(plate) == 8 and wells[0] == "A1" and wells[7] == "B4"
        assert sum(bool(x.details.get("control")) for x in plate) == 2
        for x in plate:
            coffee.tell(x, taste(x) + shift)
    coffee.tell({"grind": 5}, 8, block="tuesday")
    blocks = coffee.check()["objectives"][0]["blocks"]["shifts"]
    assert [b["block"] for b in blocks] == ["plate 1", "plate 2", "tuesday"]
    assert 0.5 < blocks[0]["shift"] - blocks[1]["shift"] < 1.5
    assert code(coffee.ask_many, 9, plate={"size": "2x4"}) == "request"


def test_steps_and_mixtures(tmp_path):
    parts = [Real(name, 0, 100, unit="%", step=2.5) for name in ("water", "oil", "soap")]
    recipe = Problem("recipe", parts, [Objective("foam", "maximize")],
                     mixtures=[Mixture(["water", "oil", "soap"], total=100)])
    with Session.create(tmp_path / "recipe.jsonl", recipe, method="gp-ei") as s:
        for _ in range(7):
            x = s.ask()
            assert sum(x.values()) == 100 and all(v % 2.5 == 0 for v in x.values())
            s.tell(x, -(x["oil"] - 30) ** 2 / 100 - x["soap"] / 10)


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
    assert code(coffee.tell, x, 99.0) == "unexpected"
    assert code(coffee.tell, x, [1.0, 2.0]) == "request"
    assert code(coffee.tell, x, {"tast": 1.0}) == "request"
    coffee.tell(x, 5.0)
    assert code(coffee.tell, x, 6.0) == "reported"
    assert code(coffee.set, method="gp-eii") == "request"
    assert code(coffee.set, no_such_parameter=1) == "request"
    assert code(Session, tmp_path / "none.jsonl") == "request"
    assert code(Session.create, tmp_path / "coffee.jsonl", COFFEE) in ("request", "failed")
    assert code(coffee.predict, [[1.0, 2.0]]) == "request"
    err = BandscopeError("reported", "a", "b")
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


def test_minimize_stops(tmp_path):
    def valley(x):
        return 3 * (x[0] - 0.42) ** 2

    found = minimize(valley, [(0, 1)], 25, seed=3, stop=True, path=tmp_path / "v.jsonl")
    assert found.n < 25 and "nothing better is expected" in found.stopped and found.fun < 1e-6
    assert minimize(valley, [(0, 1)], 25, stop=True, path=tmp_path / "v.jsonl").n == found.n
    whole = minimize(valley, [(0, 1)], 25, path=tmp_path / "v.jsonl")
    assert whole.n == 25 and not whole.stopped
    assert "evaluated" in minimize(lambda x: x["a"], [Integer("a", 1, 3)], 9).stopped


def test_minimize_kinds_of_problems(tmp_path):
    def f(x):
        return {"loss": x["rate"] * x["layers"], "time": x["layers"], "memory": 2 * x["layers"]}

    found = minimize(f, [Real("rate", 1e-4, 1, scale="log"), Integer("layers", 1, 8), Choice("loss_kind", ["l1", "l2"])],
                     12, objectives=["loss", Objective("time")], limits=[Limit("memory", at_most=12)],
                     constraints=["layers + rate <= 8"], noise=0.1, path=tmp_path / "m.jsonl", method="random")
    assert found.n == 12 and len(found.x) == len(found.fun) >= 1
    assert all(set(v) == {"loss", "time"} for v in found.fun) and all(x["layers"] <= 6 for x in found.x)
    assert {x["layers"] for x in found.x} <= set(range(1, 9)) and "loss_kind" in found.x[0]
    assert code(minimize, f, {"a": (0, 1)}, path=tmp_path / "m.jsonl") == "request"
    assert code(minimize, f, {"a": [16, 32, 64]}) == "request"
    with pytest.raises(BandscopeError, match="name 'nonsense' is not defined") as err:
        minimize(lambda x: nonsense, [(0, 1)], 2)  # noqa: F821
    assert isinstance(err.value.__cause__, NameError)
    assert minimize(lambda x: [x[0]], [(0, 1)], 2, method="random").n == 2
    found = minimize(lambda x: max(abs(v - i - 0.5) for i, v in enumerate(x)), [(i, i + 1) for i in range(12)], 3,
                     method="random")  # x10 is behind x9
    assert found.fun <= 0.5 and all(i <= v <= i + 1 for i, v in enumerate(found.x))
    with pytest.raises(KeyboardInterrupt):
        minimize(interrupt, [(0, 1)], 2, path=tmp_path / "i.jsonl")
    assert minimize(lambda x: x[0], [(0, 1)], 3, path=tmp_path / "i.jsonl").n == 3


def interrupt(x):
    raise KeyboardInterrupt


def test_noise(tmp_path):
    with Session.create(tmp_path / "noisy", "forrester", method="random", noise=0.5) as s:
        assert s.path.endswith("noisy.jsonl") and s.ask()
    assert '"noise":0.5' in (tmp_path / "noisy.jsonl").read_text()
    assert Session(tmp_path / "noisy").status()["pending"]
    assert code(Session.create, tmp_path / "n.jsonl", "forrester", noise=-1) == "request"
    with pytest.raises(BandscopeError, match="declare the noise of coffee"):
        Session.create(tmp_path / "n.jsonl", COFFEE, noise=1)


def test_authors(tmp_path):
    with Session.create(tmp_path / "a.jsonl", COFFEE, author="ann") as s:
        s.tell(s.ask(), 5)
        assert [(a["kind"], a["name"], a["via"], a["results"]) for a in s.status()["authors"]] == [
            ("program", "ann", "python", 1)]
        assert all(e["by"]["via"] == "python" for e in s.history())
    shown = subprocess.run([bandscope.find_binary(), "show", s.path], check=True, capture_output=True, text=True).stdout
    assert "ann via python" in shown


def test_branches(coffee):
    run(coffee, 3)
    coffee.goto(1)
    coffee.fork("other", method="random")
    run(coffee, 1)
    assert len(coffee.dataframe()) == 2
    coffee.goto(branch="main")
    assert len(coffee.dataframe()) == 3
    coffee.back()
    assert len(coffee.dataframe()) == 2


def test_model_front(tmp_path):
    with Session.create(tmp_path / "f.jsonl", "thesis-xy", method="ehvi", seed=3, parameters={"initial": 4}) as s:
        assert len(s.front()) == 0
        for _ in range(5):
            x = s.ask()
            s.tell(x, [-sum(v ** 2 for v in x.values()), -sum((v - 1) ** 2 for v in x.values())])
        assert len(s.front()) >= 1 and len(s.front("model")) >= 1
        assert code(s.best) == "request"


def test_inputs_of_many_kinds(coffee):
    run(coffee, 4)
    want = list(coffee.predict([{"grind": 2.0}, {"grind": 6.5}])["mean"]["taste"])
    assert list(coffee.predict({"grind": 2.0})["mean"]["taste"]) == pytest.approx(want[:1], rel=1e-12)  # one row is added up in another order
    assert list(coffee.predict([2.0, 6.5])["mean"]["taste"]) == want
    many = [[1 + i / 5000] for i in range(40_000)]
    assert len(coffee.predict(many)["mean"]["taste"]) == 40_000  # in several requests
    assert code(coffee.sample, many * 2) == "request"
    for wrong in ([], "grind", 3.0, [[1.0, 2.0]], [{"grid": 1.0}], [{"grind": math.nan}], [{"grind": "coarse"}], [{"grind": 99}]):
        assert code(coffee.predict, wrong) in ("request", "infeasible")


def test_numpy_and_pandas(coffee):
    np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    for _ in range(4):
        x = coffee.ask()
        coffee.tell(x, np.float32(taste(x)))
    want = coffee.predict([[2.0], [6.5]])["mean"]["taste"]
    assert isinstance(want, np.ndarray) and want.shape == (2,)
    table = pd.DataFrame({"grind": [2.0, 6.5], "something": ["a", "b"]})
    for X in (table, np.array([[2.0], [6.5]]), [np.array([2.0]), np.array([6.5])], [{"grind": np.float64(2)}, {"grind": np.float32(6.5)}]):
        assert list(coffee.predict(X)["mean"]["taste"]) == list(want)
    assert list(coffee.predict(table.iloc[0])["mean"]["taste"]) == pytest.approx(list(want[:1]), rel=1e-12)
    assert coffee.predict(table, quantiles=np.array([0.1, 0.9]))["quantiles"]["taste"].shape == (2, 2)
    assert coffee.sample(table, count=3)["taste"].shape == (3, 2)
    found = coffee.dataframe()
    assert list(found.columns) == ["step", "grind", "taste", "failed"] and found["taste"].dtype == float
    coffee.tell(coffee.ask(), pd.Series({"taste": 4.0}), sd=np.array([0.5]))
    coffee.add({"grind": np.int64(3)}, np.array([2.5]))
    assert coffee.dataframe()["taste"].iloc[-1] == 2.5
    assert isinstance(minimize(lambda x: np.sum(x ** 2), np.array([[0, 1], [0, 1]]), 3, method="random").fun, float)
    new = Session.create(coffee.path + "2.jsonl", Problem("p", [Integer("i", np.int64(0), np.int64(4))], [Objective("y")]))
    assert list(new.dataframe().columns) == ["step", "i", "y", "failed"] and len(new.dataframe()) == 0


def test_values_that_are_no_numbers(coffee):
    x = coffee.ask()
    for wrong in (math.nan, math.inf, 10 ** 400, {"taste": -math.inf}, "5.0", True, [1.0, 2.0], {"taste": [1.0]}, None, {}):
        assert code(coffee.tell, x, wrong) == "request"
    with pytest.raises(BandscopeError, match="taste must be a finite number, got nan; report a failure"):
        coffee.tell(x, math.nan)
    with pytest.raises(TypeError):
        coffee.tell(x, object())
    coffee.tell(x, 5)


def test_texts_in_pictures_are_escaped(tmp_path):
    hostile = "</svg><script>alert(1)</script>"
    p = Problem("oven", [Choice("sugar", [hostile[6:], "b&c", "été 😀"]), Real("a", 0, 1, unit=hostile[6:])],
                [Objective("y", unit=hostile[6:])], about=hostile)
    with Session.create(tmp_path / "é 😀.jsonl", p, method="gp-ei", author=hostile) as s:
        for i in range(4):
            s.tell(s.ask(), i, note=hostile, force=True)
        s.note(hostile + "\udc80\x1b[31m")
        page = s._repr_html_()
        assert "<script" not in page and page.count("</svg>") == 1 and "\x1b" not in page
        ET.fromstring(page)
        os.remove(s.path)
        s.close()
    assert s._repr_html_().startswith("<p>")
