"""Reports and records made by hand, for the tests."""

from regshare import measure, records


def launch(kernel="_Z1kv", cycles=100, issued=50, energy=200.0, error="cudaSuccess", **changes):
    """A launch of the runtime's report, with what records take from it."""
    stats = {
        "cycles": cycles,
        "seconds": cycles / 1e9,
        "warp_instructions": issued,
        "thread_instructions": 32 * issued,
        "scheduler": "gto",
        "residency": {
            "ctas_per_sm": 2,
            "warps_per_sm": 16,
            "max_warps_per_sm": 48,
            "average_warps_per_sm": 12.5,
            "limited_by": ["registers"],
            "utilisation": {"registers": 0.5, "scratchpad": 0.25, "overall": 0.4},
        },
        "issue_slots": {
            "uses": {"issued": issued, "mem-mshr": 3, "no-warp": 2 * cycles - issued - 3}
        },
        "energy": {
            "total": energy,
            "parts": {"registers": 0.75 * energy, "L2": 0.25 * energy},
        },
        "storage_bits_per_sm": 0,
    }
    stats |= changes.pop("stats", {})
    made = {
        "kernel": kernel,
        "name": f"{kernel[3:-1] or 'k'}(int)",
        "grid": [4, 1, 1],
        "block": [64, 1, 1],
        "error": error,
        "error_kind": None if error == "cudaSuccess" else "illegal-address",
        "dynamic_shared_bytes": 0,
        "static_shared_bytes": 16,
        "registers_per_thread": 20,
        "peak_live_registers": 18,
        "code": {"instructions": 30, "statements": 0},
        "stats": stats,
    }
    return made | changes


def sampled(kernel, cycles, issued, error):
    """A launch that sampling did not time; `error` of the estimate."""
    made = launch(kernel, cycles, issued)
    stats = made.pop("stats")
    figures = {key: stats[key] for key in ("warp_instructions", "thread_instructions")}
    return made | figures | {"estimate": {"cycles": cycles, "error": error}}


def report(*launches, errors=(), **settings):
    """`errors`: pairs of a kind and a message."""
    return {
        "launches": list(launches),
        "settings": {"REGSHARE_TAU": "0.8"} | settings,
        "errors": [{"kind": kind, "message": text} for kind, text in errors],
    }


def configuration(scheme="baseline", device="gtx480", given=None, arguments=()):
    name, *changes = device.split(",")
    given = given or {}
    return {
        "regshare": "0.1.0",
        "toolchain": "t" * 8,
        "program": {"name": "app", "source": "dir/app.cu", "sha256": "p" * 8},
        "compiler_options": ["-O2"],
        "arguments": list(arguments),
        "device": {"name": name, "changes": changes, "sha256": "d" * 8},
        "scheme": scheme,
        "given": given,
        "settings": {"REGSHARE_SCHEME": scheme, "REGSHARE_TAU": "0.8"} | given,
    }


PROFILE = {
    "file": "app.cu",
    "lines": [
        {"line": 3, "live": 4, "warp_live": 6, "text": "  int A = B; // </script>"},
        {"line": 5, "live": 7, "warp_live": 7, "text": "  return;"},
    ],
}


def record(scheme="baseline", launches=(), outcome="finished", why=None, **more):
    """`more`: notes, profiles, and what the configuration is of."""
    notes, profiles = more.pop("notes", ()), more.pop("profiles", None)
    made = configuration(scheme, **more)
    figures = {"total": None, "kernels": []}
    if outcome == "finished":
        figures = measure.figures(report(*(launches or [launch()])), profiles or {})
    return {
        "version": records.VERSION,
        "id": records.identity(made),
        "configuration": made,
        "outcome": outcome,
        "why": why,
        "error_kind": None if outcome == "finished" else "other",
        "notes": list(notes),
        "wall_seconds": 0.25,
        **figures,
    }
