"""Write small board descriptions for the tests: Tayu on nine squares, on either kind of chip."""

SQUARES = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
BUTTONS = """
[buttons]
"button.next" = 5
"button.previous" = 6
"button.enter" = 13
"button.back" = 19
"button.arbiter" = 26
"""
CHAIN = """
[sensors]
kind = "hc165"
spi_port = 0
spi_device = 0
clock_hz = 1_000_000
registers = 4
canary = 0xB1
latch = 25
active = "low"
scan_hz = 100
"""
EXPANDERS = """
[sensors]
kind = "mcp23017"
active = "low"
scan_hz = 100
[[sensors.chips]]
bus = 1
address = 0x20
[[sensors.chips]]
bus = 1
address = 0x21
"""
BITS = f"""
[[sensors.bits]]
places = {list(SQUARES)}
inputs = ["tile"]
"""


def tayu(sensors: str = CHAIN, bits: str = BITS, more: str = "") -> str:
    """A board of Tayu with three squares a side."""
    return f'board = "tayu"\nsize = 3\n{sensors}{bits}{BUTTONS}{more}'


def table(more: str) -> str:
    """A table with its buttons, and more."""
    return f'board = "table"\n{BUTTONS}{more}'
