"""Device drivers: typed protocols, and one module for each device.

Outside this package only `simulated` imports the device libraries (gpiozero, lgpio, luma, smbus2, spidev).
"""
