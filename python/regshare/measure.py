# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the runtime's report on every launch (docs/cuda-runtime.md) to the
figures of a record: by kernel, and of all kernels together."""

import collections
import os

# The parts of a launch's figures that have no counters of SMs and schemes.
NOT_COUNTED = ("residency", "active_warp_limit", "issue_slots", "memory", "rates", "energy")
# What is no count of events there: it cannot be added up over launches.
NOT_COUNTS = ("rows_per_unit", "peak_in_use", "active_warps", "start_reg")


def whole_figures(part, above):
    """`register_cache.intervals.runs`, 4272: whole numbers of a part, by path."""
    for name, value in (part or {}).items():
        path = f"{above}.{name}"
        if isinstance(value, dict):
            yield from whole_figures(value, path)
        elif isinstance(value, int):
            yield path, value


def parts_of(stats):
    """The names of the parts of a launch's figures that have counters."""
    for name, part in stats.items():
        if isinstance(part, dict) and name not in NOT_COUNTED:
            yield name


def is_count(path):
    name = path.rsplit(".", 1)[1]
    extreme = name in ("shortest", "longest")
    return not extreme and name not in NOT_COUNTS and not name.endswith("_per_sm")


def counters_of(stats):
    """Events that the parts of launches have counted, and `layout`: what else
    they say in whole numbers, the most (of `shortest` the least) of a launch."""
    counters, layout = collections.Counter(), {}
    parts = dict.fromkeys(name for each in stats for name in parts_of(each))
    for part in parts:
        for each in stats:
            for path, value in whole_figures(each.get(part), part):
                if is_count(path):
                    counters[path] += value
                else:
                    better = min if path.endswith("shortest") else max
                    layout[path] = better(layout.get(path, value), value)
    return dict(counters), layout


def most(counts):
    """None if one of them is not known."""
    counts = list(counts)
    return None if None in counts else max(counts)


def sum_of(dictionaries):
    total = collections.Counter()
    for each in dictionaries:
        total.update(each)
    # update() and not a sum, which leaves out zeros.
    return dict(total)


def energy_of(accounts):
    """Accounts added up; None if a launch has none."""
    if not all(accounts):
        return None
    return {
        "total": sum(account["total"] for account in accounts),
        "parts": sum_of(account["parts"] for account in accounts),
    }


def weighted(values, weights):
    total = sum(weights)
    pairs = zip(values, weights)
    return sum(value * weight for value, weight in pairs) / total if total else 0.0


def cycles_of(launch):
    """Of a launch that was timed, or that sampling has estimated: then its figures are
    of its first CTAs, if there are any."""
    return (launch.get("estimate") or launch["stats"])["cycles"]


def estimated(launches):
    """How cycles came about where sampling has not timed all launches
    (docs/sampling.md), as a member of figures; nothing where it has. The error is
    a part of all cycles, None if it is unknown."""
    timed = [each["stats"]["cycles"] for each in launches if "stats" in each]
    estimates = [each["estimate"] for each in launches if "estimate" in each]
    if not estimates:
        return {}
    wrong = [each["cycles"] * (each["error"] or 0) for each in estimates]
    known = all(each["error"] is not None for each in estimates)
    cycles = sum(map(cycles_of, launches))
    in_part = sum("stats" in each and "estimate" in each for each in launches)
    return {
        "estimated": {
            "timed_launches": len(timed) - in_part,
            "timed_in_part": in_part,
            "timed_cycles": sum(timed),
            "error": sum(wrong) / max(1, cycles) if known else None,
        }
    }


def scaled(counts, factor):
    """Of timed launches, for all of them. Sums without a factor stay whole."""
    if factor == 1:
        return counts
    return {name: round(count * factor) for name, count in counts.items()}


def scaled_energy(account, factor):
    if not account or factor == 1:
        return account
    parts = {name: part * factor for name, part in account["parts"].items()}
    return {"total": account["total"] * factor, "parts": parts}


def kernel_figures(launches, profile):
    """Of the launches of one kernel. What cannot be added up, such as the grid
    and the occupancy, is that of the launch that took longest; shares are means
    over cycles. Where sampling has timed a part, sums are those of the part in
    proportion to the warp instructions."""
    everything = launches
    launches = [launch for launch in launches if "stats" in launch]
    stats = [launch["stats"] for launch in launches]
    longest = max(launches, key=cycles_of)
    residency = longest["stats"]["residency"]
    cycles = [each["cycles"] for each in stats]
    # What was executed is known of each launch, its first CTAs' figures or not.
    sizes = [each if "estimate" in each else each["stats"] for each in everything]
    instructions = sum(each["warp_instructions"] for each in sizes)
    timed = sum(each["warp_instructions"] for each in stats)
    factor = instructions / timed if timed else 1
    all_cycles = sum(map(cycles_of, everything))
    seconds = sum(each["seconds"] for each in stats)
    if all_cycles != sum(cycles):
        seconds *= all_cycles / max(1, sum(cycles))
    shares = [each["residency"]["utilisation"] for each in stats]
    warps = [each["residency"]["average_warps_per_sm"] for each in stats]
    counters, layout = counters_of(stats)
    return {
        "name": longest["kernel"],
        "demangled": longest["name"],
        "launches": len(everything),
        "grid": longest["grid"],
        "block": longest["block"],
        "dynamic_shared_bytes": longest["dynamic_shared_bytes"],
        "static_shared_bytes": longest["static_shared_bytes"],
        "registers_per_thread": longest["registers_per_thread"],
        "peak_live_registers": longest.get("peak_live_registers"),
        "cycles": all_cycles,
        "seconds": seconds,
        "warp_instructions": instructions,
        "thread_instructions": sum(each["thread_instructions"] for each in sizes),
        "ipc": instructions / max(1, all_cycles),
        "scheduler": longest["stats"]["scheduler"],
        "occupancy": {
            "ctas": residency["ctas_per_sm"],
            "warps": residency["warps_per_sm"],
            "max_warps": residency["max_warps_per_sm"],
            "average_warps": weighted(warps, cycles),
            "limited_by": residency["limited_by"],
        },
        "utilisation": {
            name: weighted([each[name] for each in shares], cycles)
            for name in ("registers", "scratchpad", "overall")
        },
        "issue_slots": scaled(sum_of(each["issue_slots"]["uses"] for each in stats), factor),
        "energy": scaled_energy(energy_of([each["energy"] for each in stats]), factor),
        "code": longest["code"],
        "storage_bits": most(each["storage_bits_per_sm"] for each in stats),
        "counters": scaled(counters, factor),
        "layout": layout,
        "split": longest.get("split"),
        "profile": profile,
        **estimated(everything),
    }


def total_estimated(kernels):
    """Of all kernels, as `estimated` of the launches of one."""
    found = [kernel.get("estimated") for kernel in kernels]
    if not any(found):
        return {}
    parts = [
        each or {"timed_launches": k["launches"], "timed_in_part": 0,
            "timed_cycles": k["cycles"], "error": 0.0}
        for each, k in zip(found, kernels)
    ]
    errors = [part["error"] for part in parts]
    cycles = [kernel["cycles"] for kernel in kernels]
    return {
        "estimated": {
            name: sum(part[name] for part in parts)
            for name in ("timed_launches", "timed_in_part", "timed_cycles")
        }
        | {
            "error": None if None in errors else weighted(errors, cycles),
        }
    }


def total_figures(kernels):
    """Of all kernels of a run, one after the other."""
    cycles = [kernel["cycles"] for kernel in kernels]
    instructions = sum(kernel["warp_instructions"] for kernel in kernels)
    warps = [kernel["occupancy"]["average_warps"] for kernel in kernels]
    return {
        "launches": sum(kernel["launches"] for kernel in kernels),
        "cycles": sum(cycles),
        "seconds": sum(kernel["seconds"] for kernel in kernels),
        "warp_instructions": instructions,
        "thread_instructions": sum(k["thread_instructions"] for k in kernels),
        "ipc": instructions / max(1, sum(cycles)),
        "average_warps": weighted(warps, cycles),
        "issue_slots": sum_of(kernel["issue_slots"] for kernel in kernels),
        "energy": energy_of([kernel["energy"] for kernel in kernels]),
        "code": sum_of(kernel["code"] for kernel in kernels),
        "storage_bits": most(kernel["storage_bits"] for kernel in kernels),
        "counters": sum_of(kernel["counters"] for kernel in kernels),
        "schedulers": sorted({kernel["scheduler"] for kernel in kernels}),
        **total_estimated(kernels),
    }


def figures(report, profiles):
    """`kernels` in the order of their first launches, and `total`."""
    launches = collections.defaultdict(list)
    for launch in report["launches"]:
        launches[launch["kernel"]].append(launch)
    kernels = [
        kernel_figures(group, profiles.get(name)) for name, group in launches.items()
    ]
    return {"total": total_figures(kernels), "kernels": kernels}


def profiles_of(report, sources):
    """From `regshare-opt --emit=json`: live registers by line of the kernel's
    own file, the most demanding instruction of a line. `sources` reads a file
    as lines."""
    profiles = {}
    for kernel in report["kernels"]:
        points = [point for point in kernel["points"] if point.get("line")]
        if not points:
            continue
        file = collections.Counter(p["file"] for p in points).most_common(1)[0][0]
        lines = {}
        for point in points:
            if point["file"] == file:
                live, warp = lines.get(point["line"], (0, 0))
                lines[point["line"]] = (
                    max(live, point["live"]),
                    max(warp, point["warp_live"]),
                )
        text = sources(file)
        profiles[kernel["name"]] = {
            "file": os.path.basename(file),
            "lines": [
                {
                    "line": number,
                    "live": live,
                    "warp_live": warp,
                    "text": text[number - 1] if number <= len(text) else "",
                }
                for number, (live, warp) in sorted(lines.items())
            ],
        }
    return profiles
