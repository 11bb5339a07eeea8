"""Documents as pages: those for programs under `/docs`, the players' guides under `/help`.

`source` is the folder `docs` of the repository, so both show the same text.
"""
