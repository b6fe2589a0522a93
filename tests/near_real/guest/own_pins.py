"""Look at a Raspberry Pi's own pin controller and device tree, where QEMU has them; there is no board."""

import json
import platform
from pathlib import Path
from typing import Final

from gpiozero import OutputDevice

from tests.near_real.guest.checks import new_folder
from tests.near_real.guest.daemon import run
from tests.near_real.guest.story import Story, expect

MODEL: Final = Path("/proc/device-tree/model")
PINS: Final = (25, 17, 12)  # latch, emitters and buzzer of the TAMSK board


def own_pins(story: Story) -> None:
    """The model, the chip, the pins of the board as outputs, and doctor."""
    import lgpio  # noqa: PLC0415 - it is in the machine alone
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - as it is

    with story.checked("the libraries for ARM are there") as see:
        see(f"{platform.machine()}, lgpio {lgpio.__file__}")
        expect(platform.machine() == "aarch64", platform.machine())
    with story.checked("the pins are the controller's of the Raspberry Pi") as see:
        handle = lgpio.gpiochip_open(0)
        _, lines, name, label = lgpio.gpio_get_chip_info(handle)
        lgpio.gpiochip_close(handle)
        see(f"{name}, {label}, {lines} lines")
        expect(str(label).startswith("pinctrl-bcm283"), label)
    factory = LGPIOFactory()
    with story.checked("gpiozero knows the model by the device tree") as see:
        model = MODEL.read_text(encoding="ascii").rstrip("\0")
        see(f"{model}, {factory.board_info.model}, revision {factory.board_info.revision}")
        expect(factory.board_info.model == "3B", factory.board_info.model)
    with story.checked("an output reads back as it was set"):
        for pin in PINS:
            device = OutputDevice(pin, initial_value=True, pin_factory=factory)
            up = device.pin.state
            device.off()
            expect((up, device.pin.state) == (1, 0), f"GPIO {pin}: {up}, {device.pin.state}")
            device.close()
    factory.close()
    with story.checked("doctor names the model, and says what the machine lacks in sentences") as see:
        _, said = run(["gnomond", "doctor", "--json", "--scans", "20", "--board", "tamsk"], folder=new_folder("doctor"))
        expect(said.startswith("{"), said[-600:])
        found = {each["subject"]: each["found"] for each in json.loads(said)["findings"]}
        see(found.get("model"))
        expect("Raspberry Pi 3 Model B" in found.get("model", ""), found)
