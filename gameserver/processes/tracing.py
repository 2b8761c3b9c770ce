"""Send traces to OTEL_EXPORTER_OTLP_ENDPOINT, if that is set. Needs the extra `tracing`."""

import os
import sys

from kit import tracing


def start(program: str) -> None:
    """Begin to trace this process. Exits with one line if the extra is not installed."""
    if not os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        sys.exit(f"{program}: OTEL_EXPORTER_OTLP_ENDPOINT needs the extra `tracing`: install it.")
    provider = TracerProvider(resource=Resource.create({"service.name": f"railbird-{program}"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracing.begin(provider.get_tracer("railbird"))
