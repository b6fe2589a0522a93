"""Device drivers: typed protocols, and one module for each device.

The device libraries (gpiozero, lgpio, luma, smbus2, spidev) are imported here alone, and by the emulated chips on which
the drivers are tried.
"""
