"""English words for accounts, roles and sign-in."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "access.role.spectator": "Spectator",
    "access.role.player": "Player",
    "access.role.arbiter": "Arbiter",
    "access.role.director": "Director",
    "access.role.admin": "Admin",
    "access.role.player.may": "starts games and enters turns",
    "access.role.arbiter.may": "also corrects, pauses and decides",
    "access.role.director.may": "also directs tournaments: entries, pairings, corrected results",
    "access.role.admin.may": "also says who may do all this",
    "access.name.empty": "Write a name.",
    "access.name.long": "A name has at most 40 letters.",
    "access.name.signs": "This name has a character that cannot be shown: write it with letters, digits and spaces.",
    "access.name.mixed": "This name mixes alphabets whose letters look alike: use one of them.",
    "access.name.letters": "A name needs a letter or a digit.",
    "access.name.taken": "Somebody here has this name already: choose another one.",
    "access.secret.long": "That is too long: at most 128 letters.",
    "access.secret.short": "That is too short: at least 6 digits, or 8 letters.",
    "access.secret.signs": "This has a character that keyboards cannot type: choose another one.",
    "access.secret.simple": "That is too easy to guess: avoid sequences and repetitions.",
    "access.secret.different": "The two are not the same: type it again.",
    "access.secret.wrong": "This is not your current PIN or password.",
    "access.wrong": "Name and PIN do not match.",
    "access.code.wrong": "This code is not valid, or has expired: look for the latest one, or ask for a new one.",
    "access.wait": "Too many attempts: wait {seconds} seconds.",
    "access.busy": "Too many people are signing in right now: try again.",
    "access.device.role": "A device without a PIN can only be a player: give it a PIN first.",
    "access.last_admin": "There must be an admin: make somebody else one first.",
    "access.token.days": "Choose how long the token lasts.",
    "access.role.unknown": "Choose a role.",
    "access.gone": "This person is not here any more.",
    "access.sign_in": "Sign in",
    "access.sign_out": "Sign out",
    "access.name": "Name",
    "access.secret": "PIN or password",
    "access.secret.again": "Once more",
    "access.secret.now": "Current PIN or password",
    "access.secret.new": "New PIN or password",
    "access.secret.hint": "At least 6 digits, or 8 letters.",
    "access.why": "Watching needs no name. Sign in to play from this device, to arbitrate, or to look after the board.",
    "access.plain": (
        "This connection is not encrypted: anyone listening on this network can read what you type. Use a PIN "
        "that you use nowhere else."
    ),
    "access.signed_in": "You are signed in as {name}.",
    "access.open": "Everybody at this board may do what this role may, also without signing in: {role}.",
    "access.change": "Change your PIN",
    "access.changed": "Your PIN has been changed. You have been signed out everywhere else.",
    "access.people": "People and devices",
    "access.pair": "Pair this device",
    "access.pair.first": "This board has no admin yet",
    "access.pair.first.why": (
        "The first person to type the code that the board shows becomes its admin and can let others in."
    ),
    "access.pair.why": (
        "Anyone at the board may play from a phone: let the board show a code, and type it here. An admin gives "
        "codes for other roles."
    ),
    "access.pair.show": "Show a code on the board",
    "access.pair.simulated.why": (
        "With a code you may play from a phone: have it written to the terminal where gnomond runs, and "
        "type it here. An admin gives codes for other roles."
    ),
    "access.pair.simulated.first.why": (
        "The first person to type the code from the terminal where gnomond runs becomes its admin and "
        "can let others in."
    ),
    "access.pair.simulated.shown": ("The code is in the terminal where gnomond runs. It is valid for ten minutes."),
    "access.pair.shown": (
        "The board shows a code for ten minutes. Without a display it stands in the terminal of the daemon."
    ),
    "access.code": "Code",
    "access.code.hint": "8 letters and digits; case and dash do not matter.",
    "access.pair.name": "Your name, or that of the device",
    "access.pair.secret": "PIN or password (a player's phone needs none)",
    "access.pair.go": "Pair",
    "access.people.title": "Who may do what",
    "access.people.none": "Nobody yet.",
    "access.people.role": "Role",
    "access.people.seen": "Last seen",
    "access.people.never": "never",
    "access.people.device": "Device, without a PIN",
    "access.people.you": "you",
    "access.people.save": "Save",
    "access.people.more": "Change",
    "access.people.remove.sure": "Remove {name} for good",
    "access.people.remove.why": "{name} is signed out everywhere, and the tokens end.",
    "access.people.new_secret.why": "{name} is signed out everywhere and uses the new one from now on.",
    "access.people.add": "Add a person",
    "access.people.invite": "Invite by a code",
    "access.people.invite.why": (
        "The code is valid once, for ten minutes. The person who types it under Sign in chooses a name and a PIN."
    ),
    "access.people.invite.go": "Make a code",
    "access.people.invite.made": "Code for the role {role}, valid once, for ten minutes:",
    "access.sessions": "Signed in now",
    "access.sessions.this": "this browser",
    "access.sessions.since": "Since",
    "access.sessions.end": "Sign out",
    "access.sessions.end.of": "Sign {name} out of {browser}",
    "access.browser.unknown": "A browser",
    "access.tokens": "Tokens for programs",
    "access.tokens.why": (
        "A program sends its token with every request (Authorization: Bearer …) and may do what its role may."
    ),
    "access.tokens.none": "No program has a token.",
    "access.tokens.label": "What it is for",
    "access.tokens.days": "Valid for",
    "access.tokens.day.one": "1 day",
    "access.tokens.day.other": "{days} days",
    "access.tokens.make": "Make a token",
    "access.tokens.made": "The token for {label}. Copy it now: it is not shown again.",
    "access.tokens.until": "Valid until",
    "access.tokens.used": "Last used",
    "access.tokens.owner": "Made by",
    "access.tokens.revoke": "Revoke",
    "access.tokens.revoke.of": "Revoke {label}",
}
