"""The whole board in software, emulated down to the bits on the buses; part of the product."""
