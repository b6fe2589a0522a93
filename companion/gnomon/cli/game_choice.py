"""Choose a game on a command line: one of those that the help names, or one that another distribution brings."""

import click

from gnomon.rules.registry import games


class GameChoice(click.Choice[str]):
    """Names of games, to which those of other distributions are added when another name is given."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name of a game that can be played, or a refusal with all names."""
        if value not in self.choices:
            self.choices = (*self.choices, *(game for game in games() if game not in self.choices))
        return super().convert(value, param, ctx)
