"""The front page."""

from flask import render_template

from service.container import services
from service.web.blueprint import blueprint


@blueprint.get("/")
def home() -> str:
    """What this is, and where to go from here."""
    return render_template("home.html", local_mail=services().settings.smtp_url is None)
