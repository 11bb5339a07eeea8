FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY service service
COPY workers workers
COPY docs docs
COPY openapi.yaml ./
RUN python -m venv /opt/scottenbury \
 && /opt/scottenbury/bin/pip install --no-cache-dir --constraint constraints.txt .

FROM python:3.11-slim
# Not --create-home: that would put a shell's files among the games.
RUN useradd --system --uid 1000 --user-group --no-create-home --home-dir /data scottenbury \
 && install --directory --owner=scottenbury --group=scottenbury --mode=700 /data
COPY --from=build /opt/scottenbury /opt/scottenbury
ENV PATH=/opt/scottenbury/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SCOTTENBURY_HOST=0.0.0.0 \
    SCOTTENBURY_DATA=/data
USER scottenbury
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ.get(\"SCOTTENBURY_PORT\", 8080)}/readyz', timeout=2)"]
CMD ["scottenbury", "serve"]
