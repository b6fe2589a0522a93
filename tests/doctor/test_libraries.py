"""The libraries of a board: what is installed, which exclude each other, and which are too old or too new."""

from dataclasses import replace
from pathlib import Path

import pytest

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor import _installation as installation
from gnomon_pi.tools.doctor.finding import Severity
from tests.doctor.machines import PIS, VERSIONS, Planted, pi_3b, pi_5, said, worse


def without(*names: str, **more: str) -> dict[str, str]:
    """What is installed but for some."""
    return {name: version for name, version in VERSIONS.items() if name not in names} | more


def test_what_is_installed_is_told_and_nothing_is_wrong(pi: Planted, tamsk: BoardDescription) -> None:
    machine = pi.machine()
    findings = [*installation.check_versions(machine), *installation.check_pin_library(machine, tamsk)]
    assert worse([*findings, *installation.check_spidev(machine, tamsk)]) == []
    assert "gpiozero 2.0.1.post3, luma.core 2.6.0" in said(findings)
    assert "SQLite 3.40.1" in said(findings)


def test_both_modules_of_one_name_exclude_each_other(pi: Planted, tamsk: BoardDescription) -> None:
    machine = pi.machine(versions=without(**{"rpi-gpio": "0.7.1"}))
    assert "both provide the module RPi.GPIO" in said(worse(installation.check_pin_library(machine, tamsk)))


@pytest.mark.parametrize(("kernel", "mark"), [("6.1.21-v8+", Severity.OK), ("6.6.20+rpt-rpi-v8", Severity.FAULT)])
def test_the_original_library_works_on_old_kernels_only(
    tmp_path: Path, tamsk: BoardDescription, kernel: str, mark: Severity
) -> None:
    planted = pi_3b(tmp_path)
    planted.plant({"/proc/sys/kernel/osrelease": kernel})
    machine = planted.machine(versions=without("rpi-lgpio", "lgpio", **{"rpi-gpio": "0.7.1"}))
    findings = installation.check_pin_library(machine, replace(tamsk, pins="rpigpio"))
    assert [finding.mark for finding in findings] == [mark]


def test_the_original_library_does_not_know_a_pi_5(tmp_path: Path, tamsk: BoardDescription) -> None:
    machine = pi_5(tmp_path).machine(versions=without("rpi-lgpio", **{"rpi-gpio": "0.7.1"}))
    told = said(installation.check_pin_library(machine, replace(tamsk, pins="rpigpio")))
    assert "does not know the Raspberry Pi 5" in told


@pytest.mark.parametrize(("asked", "name"), [("lgpio", "lgpio"), ("rpigpio", "RPi.GPIO")])
def test_a_library_that_is_missing_is_a_fault(pi: Planted, tamsk: BoardDescription, asked: str, name: str) -> None:
    machine = pi.machine(versions=without("lgpio", "rpi-lgpio", "spidev", "smbus2"))
    told = said(worse(installation.check_pin_library(machine, replace(tamsk, pins=asked))))
    assert f"asks for {name}, which is not installed" in told
    assert worse(installation.check_spidev(machine, tamsk))
    assert "smbus2 cannot be found" in said(worse(installation.check_versions(machine)))


@pytest.mark.parametrize(
    ("name", "version", "mark"),
    [
        ("5", "2.0.1", Severity.FAULT),
        ("4B", "2.0.1", Severity.NOTE),
        ("4B", "2.0", Severity.WARNING),
        ("4B", "1.6.2", Severity.WARNING),
        ("5", "2.0.1.post3", Severity.OK),
        ("5", "2.1", Severity.OK),
    ],
)
def test_an_old_gpiozero_is_judged_by_the_model(tmp_path: Path, name: str, version: str, mark: Severity) -> None:
    machine = PIS[name](tmp_path).machine(versions=without(gpiozero=version))
    assert max(finding.mark for finding in installation.check_versions(machine)) is mark


def test_a_pillow_that_is_too_new_is_warned_of(pi: Planted) -> None:
    assert "pillow<14" in said(worse(installation.check_versions(pi.machine(versions=without(pillow="14.0.0")))))


def test_the_other_module_of_the_same_name_is_taken_where_it_is_asked_for(pi: Planted, tamsk: BoardDescription) -> None:
    told = said(installation.check_pin_library(pi.machine(), replace(tamsk, pins="rpigpio")))
    assert told.startswith("ok: pin library: RPi.GPIO by rpi-lgpio 0.6")
