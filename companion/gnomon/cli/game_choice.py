"""Choose a game on a command line: one of Gnomon's, or one that another distribution brings."""

from typing import TYPE_CHECKING

import click

from gnomon.rules.registry import games

if TYPE_CHECKING:  # click itself loads it for a shell that completes, and never else
    from click.shell_completion import CompletionItem


class GameChoice(click.Choice[str]):
    """Names of games; those of other distributions are looked for in a help text, or when another name is given."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name of a game that can be played, or a refusal with all names."""
        if value not in self.choices:
            self._look_for_others()
        return super().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """All names, for a help text."""
        self._look_for_others()
        return super().get_metavar(param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """The names that begin so."""
        self._look_for_others()
        return super().shell_complete(ctx, param, incomplete)

    def _look_for_others(self) -> None:
        self.choices = (*self.choices, *(game for game in games() if game not in self.choices))
