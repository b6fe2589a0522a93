"""Check whether the user may open the device files that the drivers open."""

from collections.abc import Iterator

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok
from gnomon_pi.tools.doctor.machine import Machine
from gnomon_pi.tools.doctor.wires import Node, nodes

_CHIPS = ("/dev/gpiochip4", "/dev/gpiochip0")
"""The chip of the header: on a Pi 5 it was number 4 before kernel 6.6.45."""


def check_rights(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether the user may read and write the files in /dev; those that are missing are told elsewhere."""
    needed = [*_gpio_chip(machine), *nodes(description)]
    closed = [node for node in needed if machine.has(node.path) and not _may_use(machine, node)]
    if not any(node.group == "gpio" for node in needed):
        yield fault(
            "pins",
            "There is no /dev/gpiochip0, so there are no pins.",
            "Run this on the Raspberry Pi, not in a container.",
        )
    for node in closed:
        advice = f"Run sudo usermod -aG {node.group} $USER, then log out and in again (a service: SupplementaryGroups)."
        if node.group in machine.account.groups:
            advice = (
                f"The user is in the group {node.group}: look at the file with ls -l {node.path}; udev sets its rights."
            )
        yield fault("rights", f"The user may not use {node.path} of {node.purpose}.", advice)
    if machine.account.is_root:
        yield note("rights", "This runs as root, who may use everything; the service's user may not.")
    elif not closed and needed:
        groups = sorted(machine.account.groups & {node.group for node in needed})
        by = f" (groups: {', '.join(groups)})" if groups else ""
        yield ok("rights", f"The user may use every device{by}.")


def _gpio_chip(machine: Machine) -> list[Node]:
    return [Node(path, "the pins", "gpio") for path in _CHIPS if machine.has(path)][:1]


def _may_use(machine: Machine, node: Node) -> bool:
    path = machine.path(node.path)
    # A keyboard is only read; everything else is spoken to.
    return machine.may(path, "read") and (node.group == "input" or machine.may(path, "write"))
