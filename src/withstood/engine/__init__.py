"""The one place that acts on a protocol's behalf: it drives flows, within limits, and journals before going on."""
