# docker buildx bake: see docker-bake.hcl. BASE is a Debian with Python 3.11 or newer as `python`.
ARG BASE=python:3.11-slim

FROM ${BASE} AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY letters letters
COPY service service
COPY workers workers
COPY docs docs
COPY openapi.yaml ./
# Made by the pip of this stage, so that the environment has none of its own. http-ece comes as
# source alone, and becomes a wheel here, whatever the machine.
RUN python -m venv --without-pip /opt/scottenbury \
 && python -m pip --python /opt/scottenbury/bin/python install --no-cache-dir \
    --constraint constraints.txt .

FROM ${BASE}
# Nothing can be installed later. Not --create-home: that would put a shell's files among the games.
# Any user may run it: one in group 0 writes to a new volume, any other to one of its own.
RUN python -m pip uninstall --yes --root-user-action=ignore pip setuptools wheel \
 && useradd --system --uid 1000 --user-group --no-create-home --home-dir /data scottenbury \
 && install --directory --owner=scottenbury --group=root --mode=770 /data
COPY --from=build /opt/scottenbury /opt/scottenbury
ENV PATH=/opt/scottenbury/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    SCOTTENBURY_HOST=0.0.0.0 \
    SCOTTENBURY_DATA=/data
USER scottenbury
WORKDIR /data
VOLUME /data
EXPOSE 8080
# Only the Docker format of an image holds this: podman build --format docker.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ.get(\"SCOTTENBURY_PORT\", 8080)}/readyz', timeout=2)"]
CMD ["scottenbury", "serve"]
