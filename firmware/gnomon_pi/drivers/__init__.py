"""The only package that touches hardware: protocols, and one module a device."""
