# One recipe for every service: docker build --build-arg SERVICE=query --build-arg EXTRAS=query,tracing .
ARG PYTHON_IMAGE=docker.io/library/python:3.11-slim-bookworm

# hadolint ignore=DL3006
FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
COPY pyproject.toml README.md requirements.lock ./
COPY schemas schemas
COPY models models
COPY services services
ARG SERVICE
ARG EXTRAS=${SERVICE}
# Versions and hashes are those of the lock; the extra decides which of them are installed.
RUN python3 -m venv /opt/headwater && \
    sed -E 's/[[:space:]]*\\$//; /^[[:space:]]+--hash/d' requirements.lock > constraints.txt && \
    /opt/headwater/bin/pip install --no-cache-dir --only-binary :all: --no-binary headwater \
      --constraint constraints.txt ".[${EXTRAS}]"

# hadolint ignore=DL3006
FROM ${PYTHON_IMAGE}
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client && \
    rm -rf /var/lib/apt/lists/*
ARG SERVICE
LABEL org.opencontainers.image.title="headwater-${SERVICE}"
COPY --from=build /opt/headwater /opt/headwater
ENV PATH=/opt/headwater/bin:/usr/local/bin:/usr/bin:/bin \
    HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONSAFEPATH=1
# A number, so that Kubernetes can see that it isn't root. Everything written goes to /tmp and /var/lib/headwater.
USER 10001:10001
ENTRYPOINT ["headwater"]
CMD ["--help"]
