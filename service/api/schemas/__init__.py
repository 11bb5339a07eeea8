"""The API's requests and answers, as marshmallow schemas.

Some classes end in `Schema` because a class of the domain has the same name; the document shows
them without it.
"""
