"""Documents as pages: documents for programs under `/docs`, guides for players under `/help`.

`source` is the folder `docs` of the repository, so both show the same text.
"""
