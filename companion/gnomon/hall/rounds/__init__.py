"""The rounds of a tournament in a hall: games sent to boards, results entered, clocks."""
