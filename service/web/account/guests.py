"""Playing without an account: whoever gives a name is a guest, and signed in as one."""

from collections.abc import Callable

from flask import Response

from service.container import get_container
from service.web import session
from service.web.form_keys import guest_seed


def signed_in_or_guest(name: str) -> tuple[str, Callable[[Response], Response]]:
    """The id of who is signed in, else of a new guest of this name; and what signs the guest in,
    to be done to the answer.

    The same form makes the same guest. Raises `RequestRejected`: `name-reserved`.
    """
    player = session.player()
    if player is not None:
        return player.id, lambda answer: answer
    guest = get_container().guests.register(name, guest_seed())
    return guest.id, lambda answer: session.begin(answer, guest.id)
