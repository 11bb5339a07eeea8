"""The API's requests and answers, as `TypedDict`s.

The names of answers end in `Shape`, because a class of the domain may have the same; the document
shows them without it.
"""
