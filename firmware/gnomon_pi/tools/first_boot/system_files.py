"""Write what a machine's settings mean into the files of its system: name, time zone, network and board.

The image's root is read-only with a layer in memory over it, so all of this is written again at every start; only what
lies in /etc/gnomon lasts. Without settings the machine offers a wireless network of its own.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gnomon_pi.config.checked_toml import text_of
from gnomon_pi.tools.first_boot.settings import MachineSettings, board_text

OWN_PASSPHRASE: Final = "gnomon-board"  # noqa: S105 - printed in the docs; it only keeps phones from joining by mistake
OWN_ADDRESS: Final = "192.168.64.1"
CHANNEL: Final = 2437
"""MHz: channel 6, allowed everywhere."""

SETTLED: Final = "run/gnomon-settled"
"""There while the machine has settings: gnomond waits for it, and the page of the first start for its absence."""

_CHOSEN: Final = "chosen-board"  # in /etc/gnomon: the board and the options that the settings named last


@dataclass(frozen=True, slots=True)
class SystemFile:
    """A file to write: its text, or where it links to."""

    text: str = ""
    link: str = ""
    mode: int = 0o644


def network_name(serial: str) -> str:
    """The name of the machine's own wireless network, the same at every start."""
    return f"Gnomon-{hashlib.sha256(serial.encode()).hexdigest()[:4].upper()}"


def system_files(settings: MachineSettings | None, serial: str) -> Mapping[str, SystemFile]:
    """The files by their paths, for these settings or for a machine that has none yet."""
    if settings is None:
        return {
            "etc/wpa_supplicant/wpa_supplicant-wlan0.conf": SystemFile(_own_network(serial), mode=0o600),
            "etc/systemd/network/20-wlan0.network": SystemFile(_own_subnet()),
        }
    files = {
        "etc/hostname": SystemFile(f"{settings.name}\n"),
        "etc/hosts": SystemFile(f"127.0.0.1 localhost\n127.0.1.1 {settings.name}\n::1 localhost\n"),
        "etc/localtime": SystemFile(link=f"/usr/share/zoneinfo/{settings.time_zone}"),
        "etc/timezone": SystemFile(f"{settings.time_zone}\n"),
    }
    if settings.ssh_key:
        files["etc/ssh/authorized_keys"] = SystemFile(f"{settings.ssh_key}\n")
    if settings.wifi is not None:
        files["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"] = SystemFile(_network_to_join(settings), mode=0o600)
        files["etc/systemd/network/20-wlan0.network"] = SystemFile(
            "[Match]\nName=wlan0\n\n[Network]\nDHCP=yes\nMulticastDNS=yes\n"
        )
    return files


def apply_settings(settings: MachineSettings | None, root: Path, serial: str) -> None:
    """Write the files below `root`, and the board's where another one was chosen. Raises OSError."""
    for path, file in system_files(settings, serial).items():
        put(root / path, file)
    if settings is not None:
        _choose_board(settings, root / "etc" / "gnomon")
        put(root / SETTLED, SystemFile())


def board_in_use(settings: MachineSettings, root: Path) -> str:
    """What the description says with which the machine starts: its owner's, as long as no other board is chosen."""
    own = root / "etc" / "gnomon" / "board.toml"
    if _last_choice(own.parent)[:1] == [settings.board] and own.exists():
        return text_of(own)
    return board_text(settings.board)


def put(path: Path, file: SystemFile) -> None:
    """Write a file in one step. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    if file.link:
        new.symlink_to(file.link)
    else:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode), "w", encoding="utf-8") as opened:
            opened.write(file.text)
            opened.flush()
            os.fsync(opened.fileno())
    new.replace(path)


def _choose_board(settings: MachineSettings, folder: Path) -> None:
    """Write the description and the daemon's options, each only if another is chosen: its owner may have changed it."""
    options = f"{'--simulated ' if settings.is_simulated else ''}--language {settings.language}"
    options += "" if settings.makes_puzzles else " --no-puzzles"
    before = _last_choice(folder)
    if before[:1] != [settings.board]:
        _replace(folder / "board.toml", board_text(settings.board))
    if before[1:] != [options]:
        _replace(folder / "gnomond.env", _environment(options))
    put(folder / _CHOSEN, SystemFile(f"{settings.board}\n{options}\n"))


def _last_choice(folder: Path) -> list[str]:
    """The board and the options that the settings named last; nothing at the first start."""
    mark = folder / _CHOSEN
    return mark.read_text(encoding="utf-8").splitlines() if mark.exists() else []


def _replace(path: Path, text: str) -> None:
    """Write a file, and keep what was there beside it."""
    if path.exists():
        put(path.with_name(f"{path.name}.before"), SystemFile(path.read_text(encoding="utf-8")))
    put(path, SystemFile(text))


def _environment(options: str) -> str:
    return (
        "# How gnomond is started; read by systemd. After a change: sudo systemctl restart gnomond\n"
        f"GNOMON_HOST=0.0.0.0\nGNOMON_PORT=8765\nGNOMON_OPTIONS={options}\n"
    )


def _own_network(serial: str) -> str:
    return (
        "ctrl_interface=DIR=/run/wpa_supplicant\n"
        "network={\n"
        f'  ssid="{network_name(serial)}"\n'
        "  mode=2\n"
        f"  frequency={CHANNEL}\n"
        "  key_mgmt=WPA-PSK\n"
        "  proto=RSN\n"
        "  pairwise=CCMP\n"
        f'  psk="{OWN_PASSPHRASE}"\n'
        "}\n"
    )


def _own_subnet() -> str:
    return (
        f"[Match]\nName=wlan0\n\n[Network]\nAddress={OWN_ADDRESS}/24\nDHCPServer=yes\nMulticastDNS=yes\n\n"
        f"[DHCPServer]\nEmitDNS=yes\nDNS={OWN_ADDRESS}\nEmitRouter=no\n"
    )


def _network_to_join(settings: MachineSettings) -> str:
    """What wpa_supplicant is told; names and passphrases in hexadecimal digits or derived, for they hold any sign."""
    wifi = settings.wifi
    if wifi is None:
        return ""
    key = "  key_mgmt=NONE\n"
    if wifi.passphrase:
        # The key itself (IEEE 802.11, J.4), so that no sign of the passphrase has to be escaped.
        derived = hashlib.pbkdf2_hmac("sha1", wifi.passphrase.encode(), wifi.network.encode(), 4096, 32).hex()
        key = f"  key_mgmt=WPA-PSK WPA-PSK-SHA256\n  psk={derived}\n"
    return (
        "ctrl_interface=DIR=/run/wpa_supplicant\n"
        f"country={wifi.country}\n"
        f"network={{\n  ssid={wifi.network.encode().hex()}\n  scan_ssid=1\n{key}}}\n"
    )
