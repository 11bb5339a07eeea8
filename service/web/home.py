"""The front page."""

from flask import render_template

from service.container import get_container
from service.web.blueprint import blueprint


@blueprint.get("/")
def home() -> str:
    """What this is, and where to go from here."""
    return render_template("home.html", local_mail=get_container().settings.smtp_url is None)
