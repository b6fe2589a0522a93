"""Word the error messages for lost MCP23017 expanders and the inputs lost with them."""

from collections.abc import Sequence

from gnomon_pi.drivers.expander_chip import ExpanderChip


def lost_sentences(chips: Sequence[ExpanderChip]) -> list[str]:
    """What is wrong with each lost chip, or with a bus on which none of several answers."""
    names: dict[str, list[str]] = {}
    for chip in chips:
        if chip.trouble:
            names.setdefault(_trouble(chip, chips), []).extend(chip.names)
    return [
        f"{trouble} Nothing new is seen of {first_of(unseen)}." if unseen else trouble
        for trouble, unseen in names.items()
    ]


def all_lost_sentence(chips: Sequence[ExpanderChip]) -> str:
    """What to look at when no chip is left."""
    reasons = dict.fromkeys(_trouble(chip, chips) for chip in chips)
    return " ".join(reasons)


def first_of(names: Sequence[str]) -> str:
    """The first of some names, of which there is one, and how many there are besides."""
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _trouble(chip: ExpanderChip, chips: Sequence[ExpanderChip]) -> str:
    number = chip.wires.bus
    neighbours = [each for each in chips if each.wires.bus == number]
    if len(neighbours) > 1 and all("does not answer" in each.trouble for each in neighbours):
        return f"None of the {len(neighbours)} expanders on I2C bus {number} answers: look at their power, SDA and SCL."
    return chip.trouble
