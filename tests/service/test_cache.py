"""The cache of recent values."""

from service.core.cache import Recent


def test_a_value_is_remembered_under_its_key():
    recent: Recent[str, int] = Recent(2)
    recent.put("one", 1)
    assert recent.get("one") == 1
    assert recent.get("two") is None


def test_the_value_unused_for_longest_is_forgotten():
    recent: Recent[str, int] = Recent(2)
    recent.put("one", 1)
    recent.put("two", 2)
    recent.get("one")
    recent.put("three", 3)
    assert [recent.get(key) for key in ("one", "two", "three")] == [1, None, 3]


def test_a_new_value_takes_the_place_of_the_old():
    recent: Recent[str, int] = Recent(2)
    recent.put("one", 1)
    recent.put("one", 11)
    assert recent.get("one") == 11
