"""Tests of what can go wrong: kills, interrupts, threads, forks, and programs that are not bandscope."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import bandscope
from bandscope import BandscopeError, Objective, Problem, Real, Session
from bandscope._pipe import MAX_LINE, plain

COFFEE = Problem("coffee", [Real("grind", 1, 10)], [Objective("taste", "maximize", range=(0, 10))])

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(autouse=True)
def interrupts():
    """Interrupts work also where the shell ignores them, as in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def coffee(tmp_path):
    with Session.create(tmp_path / "coffee.jsonl", COFFEE, method="random") as s:
        yield s


@pytest.fixture
def slow(tmp_path):
    """A session whose next suggestion takes hours."""
    with Session.create(tmp_path / "slow.jsonl", "hartmann", method="neural-ucb",
                        parameters={"trainer": "sgd", "epochs": 1_000_000, "width": 2000, "initial": 3}) as s:
        for i in range(3):
            s.add({name: 0.1 + 0.2 * i for name in s.variables}, float(i))
        yield s


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    with open(f"/proc/{pid}/stat") as f:  # a zombie is no program; whoever takes orphans may not have reaped it
        return f.read().rpartition(")")[2].split()[0] == "Z"


def wait_until(holds):
    for _ in range(1000):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("this takes too long")


def test_threads(coffee):
    told = []

    def work():
        for _ in range(3):
            x = coffee.ask_many(1, new=True)[0]
            coffee.tell(x, 5)
            told.append(x.name)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(told)) == 12 and coffee.status()["steps"] == 12


def test_asyncio(coffee):
    async def work():
        x = await asyncio.to_thread(coffee.ask)
        await asyncio.gather(asyncio.to_thread(coffee.tell, x, 5), asyncio.to_thread(coffee.history))

    asyncio.run(work())
    assert coffee.status()["steps"] == 1


@posix
def test_killed_client_loses_nothing(tmp_path):
    path = tmp_path / "k.jsonl"
    Session.create(path, COFFEE, method="random").close()
    client = ("import bandscope, sys\n"
              f"s = bandscope.Session({str(path)!r})\n"
              "while True:\n"
              "    x = s.ask(); s.tell(x, 5); print(x.name, s._pipe._process.pid, flush=True)\n")
    for _ in range(3):
        child = subprocess.Popen([sys.executable, "-c", client], stdout=subprocess.PIPE, env=dict(os.environ))
        last = program = 0
        for line in child.stdout:
            last, program = map(int, line.split())
            if last % 7 == 0:
                break
        child.kill()
        child.wait()
        child.stdout.close()
        with Session(path) as s:
            assert s.status()["steps"] >= last
            s.tell(s.ask(), 5)
        wait_until(lambda: gone(program))


@posix
def test_killed_client_in_a_long_act_leaves_no_process(slow):
    before = slow.history()
    client = (f"import bandscope\ns = bandscope.Session({slow.path!r}); s.history()\n"
              "print(s._pipe._process.pid, flush=True)\ns.ask(progress=lambda p: print(p, flush=True))\n")
    child = subprocess.Popen([sys.executable, "-c", client], stdout=subprocess.PIPE, env=dict(os.environ))
    program = int(child.stdout.readline())
    assert b"training" in child.stdout.readline()  # the act runs
    child.kill()
    child.wait()
    child.stdout.close()
    wait_until(lambda: gone(program))
    assert slow.history() == before


@posix
def test_interrupt_cancels_the_act_and_leaves_the_session(slow):
    before, pid = slow.history(), slow._pipe._process.pid

    def on_progress(_):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        slow.ask(progress=on_progress)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        slow.ask()
    timer.join()
    assert slow.history() == before
    slow.fork("fast", method="random")
    slow.tell(slow.ask(), 1.0)
    assert slow._pipe._process.pid == pid  # by the same program


@posix
def test_interrupt_of_the_terminal_leaves_the_program(coffee):
    coffee.ask()
    assert os.getpgid(coffee._pipe._process.pid) != os.getpgid(0)


def test_exception_in_progress(slow):
    def on_progress(_):
        raise ValueError("no")

    with pytest.raises(ValueError):
        slow.ask(progress=on_progress)
    assert len(slow.dataframe()) == 3


def test_program_ends(coffee):
    coffee.ask()
    coffee._pipe._process.kill()
    coffee._pipe._reader.join()
    assert coffee.ask().name == 1  # by another process


@posix
def test_program_ends_in_an_act(slow):
    slow.history()
    timer = threading.Timer(0.3, slow._pipe._process.kill)
    timer.start()
    with pytest.raises(BandscopeError) as err:
        slow.ask()
    assert err.value.code == "ended" and "starts it again" in err.value.hint
    assert len(slow.dataframe()) == 3


def test_processes_end_with_their_sessions(tmp_path):
    pids = []
    for i in range(3):
        s = Session.create(tmp_path / f"{i}.jsonl", COFFEE)
        pids.append(s._pipe._process.pid)
        s.close()
        s.close()
    s = Session.create(tmp_path / "3.jsonl", COFFEE)
    pids.append(s._pipe._process.pid)
    del s
    gc.collect()
    if sys.platform != "win32":
        assert all(gone(pid) for pid in pids)


def test_use_after_close(coffee):
    x = coffee.ask()
    coffee.close()
    coffee.tell(x, 5)
    again = pickle.loads(pickle.dumps(coffee))
    assert again.path == coffee.path and again.status()["steps"] == 1
    again.close()


@posix
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_process(coffee):
    coffee.tell(coffee.ask(), 5)
    pid = coffee._pipe._process.pid
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        assert sorted(pool.map(tell_one, [(coffee, i) for i in range(4)])) == [0, 1, 2, 3]
    coffee.tell(coffee.ask(), 5)
    assert coffee.status()["steps"] == 6 and coffee._pipe._process.pid == pid


def tell_one(given):
    s, i = given
    s.add({"grind": 2.0 + i}, 5)
    return i


def test_binary_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("BANDSCOPE_BINARY", str(tmp_path))
    with pytest.raises(BandscopeError) as err:
        bandscope.find_binary()
    assert err.value.code == "binary" and "BANDSCOPE_BINARY" in str(err.value)
    monkeypatch.delenv("BANDSCOPE_BINARY")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BandscopeError):
        Session.create(tmp_path / "s.jsonl", COFFEE)


@posix
@pytest.mark.parametrize("script, said", [
    ("#!/bin/sh\necho 'unknown flag: --via' >&2; exit 2\n", "unknown flag: --via"),  # an older version
    ("#!/bin/sh\nwhile read line; do echo '{\"id\": 1, \"error\": \"what is act?\"}'; done\n", "what is act?"),
    ("#!/bin/sh\necho hello\n", "ended without an answer"),
    ("#!/bin/sh\nprintf '\\033[31mred\\033[0m' >&2; exit 1\n", "\N{REPLACEMENT CHARACTER}[31mred"),
    ("no program", "cannot be started"),
])
def test_binary_is_another_program(monkeypatch, tmp_path, script, said):
    other = tmp_path / "other"
    other.write_text(script)
    other.chmod(0o755)
    monkeypatch.setenv("BANDSCOPE_BINARY", str(other))
    with pytest.raises(BandscopeError) as err:
        Session.create(tmp_path / "s.jsonl", COFFEE)
    assert err.value.code == "binary" and said in err.value.text and str(other) in err.value.text


def test_no_such_files(tmp_path):
    (tmp_path / "bad.jsonl").write_text("hello\n")
    for call in (lambda: Session(tmp_path / "none.jsonl"), lambda: Session.create(tmp_path / "no/s.jsonl", COFFEE),
                 lambda: Session(tmp_path / "bad.jsonl").status(), lambda: Session(tmp_path)):
        with pytest.raises(BandscopeError) as err:
            call()
        assert err.value.code in ("request", "failed")


def test_hostile_names(tmp_path):
    for wrong in (Problem("a\x1b[31m", [Real("x", 0, 1)], [Objective("y")]),
                  Problem("a", [Real("x", 1, 0)], [Objective("y")]),
                  Problem("a", [Real("x", 0, float("inf"))], [Objective("y")]),
                  Problem("a", [Real("x", 0, 1)], [Objective('y"]\n[[variable]]\nname = "z')])):
        with pytest.raises(BandscopeError) as err:
            Session.create(tmp_path / "h.jsonl", wrong)
        assert err.value.code == "request" and not (tmp_path / "h.jsonl").exists()


def test_long_requests(coffee):
    with pytest.raises(BandscopeError, match="bytes"):
        coffee.note("a" * MAX_LINE)
    with pytest.raises(BandscopeError):
        coffee.note("a" * 200_000)
    coffee.note("short")


def test_plain_values():
    from decimal import Decimal
    from fractions import Fraction
    assert plain({"a": Decimal("0.5"), "b": [Fraction(1, 4), float("inf")], "c": None, 3: (True, "x")}) == {
        "a": 0.5, "b": [0.25, "Infinity"], "3": [True, "x"]}
