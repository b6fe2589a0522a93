"""Rules, clocks, refereeing, records, tournaments and pages for board games, independent of any hardware.

The package imports no hardware library; `gnomon_pi` drives the devices. What it offers to programs of others is in
docs/library.md, and is imported when it is first asked for.
"""


def __getattr__(name: str) -> object:
    from gnomon._names import load  # noqa: PLC0415 - most who import the package ask for nothing here

    value = globals()[name] = load(name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
