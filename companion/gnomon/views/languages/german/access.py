"""German words for accounts, roles and sign-in."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "access.role.spectator": "Zuschauer",
    "access.role.player": "Spieler",
    "access.role.arbiter": "Schiedsrichter",
    "access.role.director": "Turnierleiter",
    "access.role.admin": "Verwalter",
    "access.role.player.may": "beginnt Partien und gibt Züge ein",
    "access.role.arbiter.may": "berichtigt, unterbricht und entscheidet außerdem",
    "access.role.director.may": "leitet außerdem Turniere: Meldungen, Paarungen, berichtigte Ergebnisse",
    "access.role.admin.may": "bestimmt außerdem, wer was darf",
    "access.name.empty": "Bitte einen Namen eingeben.",
    "access.name.long": "Ein Name hat höchstens 40 Buchstaben.",
    "access.name.signs": (
        "Der Name enthält ein Zeichen, das sich nicht anzeigen lässt: bitte nur Buchstaben, Ziffern und Leerzeichen."
    ),
    "access.name.mixed": "Der Name mischt Alphabete, deren Buchstaben sich gleichen: bitte nur eines verwenden.",
    "access.name.letters": "Ein Name braucht einen Buchstaben oder eine Ziffer.",
    "access.name.taken": "Diesen Namen trägt hier schon jemand: bitte einen anderen wählen.",
    "access.secret.long": "Das ist zu lang: höchstens 128 Zeichen.",
    "access.secret.short": "Das ist zu kurz: mindestens 6 Ziffern oder 8 Zeichen.",
    "access.secret.signs": "Darin ist ein Zeichen, das sich nicht tippen lässt: bitte etwas anderes wählen.",
    "access.secret.simple": "Das ist zu leicht zu erraten: bitte keine Folgen oder Wiederholungen.",
    "access.secret.different": "Die beiden Eingaben sind verschieden: bitte noch einmal.",
    "access.secret.wrong": "Das ist nicht die bisherige PIN oder das bisherige Passwort.",
    "access.wrong": "Name und PIN passen nicht zusammen.",
    "access.code.wrong": "Dieser Code gilt nicht oder nicht mehr: den neuesten nehmen oder einen neuen anfordern.",
    "access.wait": "Das waren zu viele Versuche: bitte {seconds} Sekunden warten.",
    "access.busy": "Gerade melden sich zu viele an: bitte noch einmal versuchen.",
    "access.device.role": "Ein Gerät ohne PIN kann nur Spieler sein: zuerst eine PIN vergeben.",
    "access.last_admin": "Es muss einen Verwalter geben: bestimmen Sie zuerst einen anderen.",
    "access.token.days": "Bitte wählen, wie lange das Token gilt.",
    "access.role.unknown": "Bitte eine Rolle wählen.",
    "access.gone": "Diese Person gibt es hier nicht mehr.",
    "access.sign_in": "Anmelden",
    "access.sign_out": "Abmelden",
    "access.name": "Name",
    "access.secret": "PIN oder Passwort",
    "access.secret.again": "Noch einmal",
    "access.secret.now": "Bisherige PIN oder bisheriges Passwort",
    "access.secret.new": "Neue PIN oder neues Passwort",
    "access.secret.hint": "Mindestens 6 Ziffern oder 8 Zeichen.",
    "access.why": (
        "Zum Zuschauen braucht es keinen Namen. Angemeldet spielt man von diesem Gerät aus, leitet Partien "
        "oder verwaltet das Brett."
    ),
    "access.plain": (
        "Diese Verbindung ist nicht verschlüsselt: Wer in diesem Netz mithört, kann die Eingaben lesen. Am "
        "besten eine PIN verwenden, die sonst nirgends gilt."
    ),
    "access.signed_in": "Angemeldet als {name}.",
    "access.open": "An diesem Brett darf auch ohne Anmeldung jeder, was diese Rolle darf: {role}.",
    "access.change": "PIN ändern",
    "access.changed": "Die PIN ist geändert. Alle anderen Anmeldungen sind beendet.",
    "access.people": "Personen und Geräte",
    "access.pair": "Dieses Gerät koppeln",
    "access.pair.first": "Dieses Brett hat noch keinen Verwalter",
    "access.pair.first.why": (
        "Wer als Erster den Code eingibt, den das Brett zeigt, wird Verwalter und kann andere zulassen."
    ),
    "access.pair.why": (
        "Wer am Brett steht, darf vom Telefon aus spielen: das Brett einen Code zeigen lassen und hier "
        "eingeben. Codes für andere Rollen gibt der Verwalter."
    ),
    "access.pair.show": "Code auf dem Brett zeigen",
    "access.pair.simulated.why": (
        "Mit einem Code darf auch ein Telefon mitspielen: Er erscheint im Terminal, in dem gnomond läuft, "
        "und wird hier eingegeben. Codes für andere Rollen vergibt der Verwalter."
    ),
    "access.pair.simulated.first.why": (
        "Wer als Erster den Code aus dem Terminal eingibt, in dem gnomond läuft, wird Verwalter und kann "
        "weitere Personen zulassen."
    ),
    "access.pair.simulated.shown": ("Der Code steht im Terminal, in dem gnomond läuft. Er gilt zehn Minuten."),
    "access.pair.shown": (
        "Das Brett zeigt zehn Minuten lang einen Code. Ohne Anzeige steht er im Terminal des Dienstes."
    ),
    "access.code": "Code",
    "access.code.hint": "8 Buchstaben und Ziffern; Großschreibung und Strich sind gleichgültig.",
    "access.pair.name": "Eigener Name oder Name des Geräts",
    "access.pair.secret": "PIN oder Passwort (nicht nötig für das Telefon eines Spielers)",
    "access.pair.go": "Koppeln",
    "access.people.title": "Wer was darf",
    "access.people.none": "Noch niemand.",
    "access.people.role": "Rolle",
    "access.people.seen": "Zuletzt gesehen",
    "access.people.never": "nie",
    "access.people.device": "Gerät, ohne PIN",
    "access.people.you": "Sie selbst",
    "access.people.save": "Speichern",
    "access.people.more": "Ändern",
    "access.people.remove.sure": "{name} endgültig entfernen",
    "access.people.remove.why": "{name} wird überall abgemeldet, und die Token enden.",
    "access.people.new_secret.why": "{name} wird überall abgemeldet und verwendet von nun an die neue.",
    "access.people.add": "Person hinzufügen",
    "access.people.invite": "Mit einem Code einladen",
    "access.people.invite.why": (
        "Der Code gilt einmal, zehn Minuten lang. Wer ihn beim Anmelden eingibt, wählt Namen und PIN selbst."
    ),
    "access.people.invite.go": "Code erzeugen",
    "access.people.invite.made": "Code für die Rolle {role}, gültig einmal, zehn Minuten lang:",
    "access.sessions": "Zurzeit angemeldet",
    "access.sessions.this": "dieser Browser",
    "access.sessions.since": "Seit",
    "access.sessions.end": "Abmelden",
    "access.sessions.end.of": "{name} von {browser} abmelden",
    "access.browser.unknown": "Ein Browser",
    "access.tokens": "Token für Programme",
    "access.tokens.why": (
        "Ein Programm schickt sein Token mit jeder Anfrage (Authorization: Bearer …) und darf, was dessen Rolle darf."
    ),
    "access.tokens.none": "Kein Programm hat ein Token.",
    "access.tokens.label": "Wofür es ist",
    "access.tokens.days": "Gültig für",
    "access.tokens.day.one": "1 Tag",
    "access.tokens.day.other": "{days} Tage",
    "access.tokens.make": "Token erzeugen",
    "access.tokens.made": "Das Token für {label}. Bitte jetzt kopieren: Es wird nicht noch einmal gezeigt.",
    "access.tokens.until": "Gültig bis",
    "access.tokens.used": "Zuletzt benutzt",
    "access.tokens.owner": "Von",
    "access.tokens.revoke": "Widerrufen",
    "access.tokens.revoke.of": "{label} widerrufen",
}
