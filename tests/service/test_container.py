"""A container's parts: each is built once, at its first use, from the right ones."""

import inspect
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from service.container import Container
from service.core.redis.client import Client
from service.core.site import Part, Site
from service.mail_in.site import MailInSite
from tests.support.settings import settings


@pytest.fixture
def container(redis: Client) -> Container:
    return Container(settings(), redis)


@pytest.mark.parametrize("kind", [Container, MailInSite])
def test_each_part_gets_what_its_parameters_say(container: Container, kind: type[Site]) -> None:
    site = container if kind is Container else MailInSite(container.mail_addresses)
    for name, part in vars(kind).items():
        if not isinstance(part, Part):
            continue
        built = getattr(site, name)
        for need in inspect.signature(part.make).parameters.values():
            got = getattr(built, need.name, getattr(built, f"_{need.name}", None))
            if inspect.isclass(need.annotation) and got is not None:
                assert isinstance(got, int | need.annotation), (name, need)


def test_parts_are_built_once(container: Container) -> None:
    assert container.repository is container.games.repository is container.writer._repository


def test_threads_that_come_at_once_get_the_same_part(container: Container) -> None:
    begin = Barrier(8)

    def games(_: int) -> int:
        begin.wait(10)
        return id(container.games)

    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(games, range(8))}) == 1


def test_what_fits_nothing_is_said(container: Container) -> None:
    class Odd(Site):
        part = Part(lambda unheard_of: unheard_of)

    with pytest.raises(TypeError, match="unheard_of"):
        _ = Odd().part


def test_a_default_stands_where_the_site_has_nothing() -> None:
    class Plain(Site):
        part = Part(lambda unheard_of=3: unheard_of)

    assert Plain().part == 3
