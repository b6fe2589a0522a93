"""Any other game: two players end their turns, and people declare the result."""
