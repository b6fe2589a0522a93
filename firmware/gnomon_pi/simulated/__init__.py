"""The whole board in software, down to the bits on the buses; ships in the product."""
