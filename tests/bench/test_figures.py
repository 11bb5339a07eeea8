"""The figures of a measurement."""

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.figures import curves, percentile, save_plot, summary, thread_seconds, usage


@pytest.mark.parametrize(
    ("rank", "value"), [(1, 1), (50, 5), (51, 6), (90, 9), (99, 10), (100, 10)]
)
def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed(rank: int, value: int) -> None:
    assert percentile(range(1, 11), rank) == value


def test_a_percentile_of_one_value_is_that_value() -> None:
    assert {percentile([7.0], rank) for rank in (0, 50, 100)} == {7.0}


def test_a_summary_is_in_milliseconds_and_needs_no_order() -> None:
    found = summary([0.003, 0.001, 0.002])
    assert found == {"count": 3, "p50": 2.0, "p90": 3.0, "p95": 3.0, "p99": 3.0, "max": 3.0}
    assert summary([]) == {"count": 0}


def test_a_process_is_seen_to_use_time_and_memory() -> None:
    before = usage(os.getpid())
    while usage(os.getpid()).seconds == before.seconds:
        sum(range(10_000))
    assert before.megabytes > 1


def test_curves_are_well_formed_and_fill_their_axes() -> None:
    drawn = ElementTree.fromstring(curves("a < b", "s", "ms", {"x & y": [(0, 0), (2, 4)], "": []}))
    lines = [each.get("points") for each in drawn.iter() if each.tag.endswith("polyline")]
    assert lines == ["60.0,360.0 700.0,40.0", ""]


def test_threads_are_seen_to_use_time() -> None:
    before = thread_seconds(os.getpid())
    while thread_seconds(os.getpid()) == before:
        sum(range(100_000))
    assert thread_seconds(os.getpid()) > before


def test_a_plot_is_saved_as_svg_and_png(tmp_path: Path) -> None:
    save_plot(tmp_path / "plot", curves("Title", "across", "up", {"one": [(0, 1), (1, 2)]}))
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
