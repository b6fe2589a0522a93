"""German words for the first page, help, connecting a real board, and error pages."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "landing.skip": "Zum Inhalt springen",
    "landing.nav": "Seiten",
    "landing.nav.board": "Brett",
    "landing.nav.watch": "Zusehen",
    "landing.nav.games": "Partien",
    "landing.nav.bench": "Werkbank",
    "landing.nav.desk": "Leitung",
    "landing.nav.people": "Personen",
    "landing.nav.help": "Hilfe",
    "landing.language": "Sprache",
    "landing.title": "Willkommen",
    "landing.lead": "Ein Spielbrett, das die Zeit nimmt und die Regeln kennt.",
    "landing.lead.more": (
        "Gnomon spürt jeden Zug auf dem Tisch, sagt sofort, wenn einer nicht erlaubt ist und warum, und schreibt "
        "jede Partie auf."
    ),
    "landing.now": "Jetzt am Brett",
    "landing.now.none": "Im Augenblick spielt niemand. So sieht eine Partie aus.",
    "landing.now.open": "Genauer ansehen",
    "landing.demo": "Eine Vorführung ansehen",
    "landing.demo.what": (
        "Das Programm spielt TAMSK auf einem simulierten Brett. Sie können es anhalten oder beschleunigen."
    ),
    "landing.demo.away": (
        "Eine Partie ist noch nicht zu Ende. Die Vorführung setzt ihre eigene fort; "
        "eine andere wird unterbrochen und kann am Schiedsrichterpult wieder aufgenommen werden."
    ),
    "landing.demo.on": "Am simulierten Brett läuft eine Partie: Sehen Sie zu.",
    "landing.demo.go": "Vorführung beginnen",
    "landing.demo.watch": "Partie ansehen",
    "landing.bench": "Auf dem simulierten Brett spielen",
    "landing.bench.what": "Gläser heben und wenden, Ringe werfen, Tasten drücken: mit Maus, Finger oder Tastatur.",
    "landing.bench.go": "Zum simulierten Brett",
    "landing.connect": "Ein echtes Brett anschließen",
    "landing.connect.what": "Von den Drähten bis zur ersten Partie, in sieben kurzen Schritten.",
    "landing.connect.go": "Zeigen Sie mir, wie",
    "landing.play": "Hier spielen",
    "landing.play.what": "Spiel und Spielende wählen, das Brett aufbauen und beginnen.",
    "landing.play.on": "Eine Partie läuft. Ihre Seite zeigt, wer am Zug ist und was der Schiedsrichter sagt.",
    "landing.play.go": "Partie beginnen",
    "landing.play.board": "Zur Partie",
    "landing.watch": "Zusehen",
    "landing.watch.what": "Das Brett, die Uhren und jede Entscheidung, live und ohne Anmeldung.",
    "landing.watch.go": "Dem Brett zusehen",
    "landing.phone": "Auf dem Telefon verfolgen",
    "landing.phone.what": "Einen Code scannen, und das Brett ist in Ihrer Hand.",
    "landing.phone.go": "Code zeigen",
    "landing.phones": "Auf dem Telefon",
    "landing.phones.scan": (
        "Richten Sie die Kamera eines Telefons im selben Netz auf den Code, oder tippen Sie die Adresse ein. Zum "
        "Zusehen braucht es keinen Namen."
    ),
    "landing.phones.code": "Code mit der Adresse {address}",
    "landing.phones.alone": (
        "Zurzeit erreicht nur dieser Rechner diese Seiten. Um Telefone im selben Netz zuzulassen, beenden Sie das "
        "Programm und starten Sie es so:"
    ),
    "landing.rest": "Mehr",
    "landing.rest.games": "Aufgezeichnete Partien",
    "landing.rest.games.what": "Finden, nachspielen, herunterladen",
    "landing.rest.clock": "Uhr",
    "landing.rest.clock.what": "Groß genug, um quer durch den Raum gelesen zu werden",
    "landing.rest.desk": "Tisch der Spielleitung",
    "landing.rest.desk.what": "Berichtigen, unterbrechen, entscheiden",
    "landing.rest.rules": "Regeln",
    "landing.rest.rules.what": "Aller fünf Spiele, mit den Nummern aus den Entscheidungen",
    "landing.rest.help.what": "Was Tasten, Lichter und Anzeige sagen",
    "landing.document.english": "Dieser Text ist englisch geschrieben.",
    "landing.mistake.401": "Bitte anmelden",
    "landing.mistake.401.do": (
        "Das dürfen nur Personen, die das Brett kennt. Melden Sie sich an, oder koppeln Sie dieses Gerät mit "
        "einem Code vom Brett."
    ),
    "landing.mistake.403": "Das steht Ihnen nicht offen",
    "landing.mistake.403.do": (
        "Dafür braucht es eine andere Rolle, oder die Seite, von der Sie kamen, war veraltet. Gehen Sie zurück "
        "und laden Sie sie neu, oder melden Sie sich als jemand an, der darf."
    ),
    "landing.mistake.404": "Hier ist nichts",
    "landing.mistake.404.do": "Vielleicht ist die Adresse vertippt, oder was sie nannte, ist nicht mehr da.",
    "landing.mistake.405": "Diese Adresse ist keine Seite",
    "landing.mistake.405.do": (
        "Sie nimmt nur Formulare an. Gehen Sie zur Seite mit dem Formular, und senden Sie es von dort."
    ),
    "landing.mistake.421": "Es braucht eine andere Adresse",
    "landing.mistake.421.do": "Diese Seite antwortet nur unter der Adresse des Bretts.",
    "landing.mistake.429": "Zu viele Anfragen",
    "landing.mistake.429.do": (
        "Aus diesem Netz kamen mehr Anfragen, als das Brett neben einer Partie beantworten kann. Warten Sie "
        "einige Sekunden und versuchen Sie es noch einmal."
    ),
    "landing.mistake.500": "Auf diesem Rechner ist etwas fehlgeschlagen",
    "landing.mistake.500.do": (
        "Es liegt nicht an Ihnen, und die Partie am Brett geht weiter. Versuchen Sie es wieder; wenn es bleibt, "
        "sagt das Protokoll des Rechners mehr: journalctl -u gnomond"
    ),
    "landing.mistake.503": "Zu viel auf einmal",
    "landing.mistake.503.do": (
        "Das Brett hat im Augenblick mehr zu tun, als es kann. Die Partie geht vor: Versuchen Sie es in einigen "
        "Sekunden wieder."
    ),
    "landing.mistake.hall.500.do": (
        "Es liegt nicht an Ihnen, und die Partien an den Brettern gehen weiter. Versuchen Sie es noch "
        "einmal; bleibt es dabei, sagt das Protokoll der Halle mehr: auf ihrem Rechner journalctl -u "
        "gnomon-hall, oder das Terminal, in dem sie läuft."
    ),
    "landing.mistake.hall.503.do": (
        "Die Halle hat im Augenblick mehr zu tun, als sie kann. Versuchen Sie es in einigen Sekunden noch einmal."
    ),
    "landing.mistake.database": "Die Datenbank der Halle ist nicht erreichbar",
    "landing.mistake.database.do": (
        "Nichts geht verloren: Die Bretter spielen weiter und behalten alles, bis sie wieder da ist. "
        "Diese Seite versucht es von selbst noch einmal."
    ),
    "landing.mistake.database.sent": (
        "Nichts geht verloren: Die Bretter spielen weiter und behalten alles, bis sie wieder da ist. Was "
        "Sie eben abgeschickt haben, ist vielleicht nicht angekommen: Sehen Sie nach, sobald sie wieder "
        "da ist, und schicken Sie es dann noch einmal."
    ),
    "landing.mistake.home": "Zur Startseite",
    "landing.connect.lead": (
        "Sie brauchen einen Raspberry Pi mit Raspberry Pi OS, die Teile eines Bretts und einen Abend. Jeder "
        "Schritt endet mit etwas, das man sieht."
    ),
    "landing.connect.more": "Mehr dazu: {name}",
    "landing.connect.guides": "Alle Anleitungen",
    "landing.connect.build": "Verdrahten",
    "landing.connect.build.do": (
        "Das schreibt in den Ordner „wiring“, welcher Draht wohin gehört, was zu kaufen ist, und eine Zeichnung. "
        "Es gilt für TAMSK; tayu und table sind die anderen Bretter."
    ),
    "landing.connect.install": "Installieren",
    "landing.connect.install.do": (
        "Auf dem Raspberry Pi, im Ordner dieses Programms. Es dauert einige Minuten und darf jederzeit wiederholt "
        "werden; danach den Rechner einmal neu starten."
    ),
    "landing.connect.doctor": "Prüfen lassen",
    "landing.connect.doctor.do": (
        "Geprüft werden Stromversorgung, Busse, Chips, Rechte und Uhr: je eine Zeile, bei Fehlern mit Abhilfe. "
        "Halten Sie den Dienst vorher an, und berühren Sie das Brett dabei nicht."
    ),
    "landing.connect.walk": "Über das Brett gehen",
    "landing.connect.walk.do": (
        "Es nennt einen Platz, Sie stellen etwas darauf. So lernt es, wie das Brett wirklich verdrahtet ist, und "
        "kein Draht muss neu gelötet werden. Eine halbe Stunde für TAMSK."
    ),
    "landing.connect.check": "Die Beschreibung prüfen und behalten",
    "landing.connect.check.do": (
        "Der erste Befehl zeigt Pins, Busse und Ströme, oder jeden Fehler mit seiner Zeile. Der zweite gibt dem "
        "Dienst, was der Gang gelernt hat."
    ),
    "landing.connect.start": "Starten",
    "landing.connect.start.do": (
        "Von nun an startet es mit dem Rechner. Die Anzeige zeigt einen Code mit der Adresse seiner Seite."
    ),
    "landing.connect.page": "Verwaltung übernehmen und spielen",
    "landing.connect.page.do": (
        "Öffnen Sie die Seite mit dem Namen Ihres Rechners. Tippen Sie unter „Anmelden“ den Code aus acht "
        "Buchstaben und Ziffern ein, den die Anzeige zeigt: Damit verwalten Sie das Brett. Dann beginnen Sie eine "
        "Partie."
    ),
    "landing.guide.install": "Installieren",
    "landing.guide.walk": "Der Gang über das Brett",
    "landing.guide.doctor": "Die Untersuchung",
    "landing.guide.board-description": "Die Beschreibung des Bretts",
    "landing.guide.timekeeping": "Wie die Zeit genommen wird",
    "landing.guide.single-pole": "Bretter, die einen Pol sehen",
    "landing.guide.access": "Wer was darf",
    "landing.guide.walkthrough": "Ein Zug, von der Berührung zum Licht",
    "landing.help": "Hilfe",
    "landing.help.board": "Das Brett",
    "landing.help.board.senses": (
        "Spielen Sie, wie Sie ohne es spielen würden. Sensoren sehen jede Figur, die gehoben und abgesetzt wird; "
        "ein Zug gilt, sobald er vollständig ist, ohne dass jemand etwas drückt."
    ),
    "landing.help.board.wrong": (
        "Wenn etwas nicht erlaubt ist, nennt die Anzeige die Regel und führt Stück für Stück durch die Reparatur. "
        "Die Partie wartet darauf; bei TAMSK läuft der Sand weiter."
    ),
    "landing.help.board.asks": (
        "Wenn sich das Brett auf zwei Arten lesen lässt, fragt der Schiedsrichter. Antworten Sie mit einer Taste "
        "oder auf der Seite."
    ),
    "landing.help.buttons": "Tasten",
    "landing.help.button.own": "Rot, Schwarz",
    "landing.help.button.own.does": "Beendet den eigenen Zug ohne Ring und beantwortet eine Frage.",
    "landing.help.button.arbiter": "Spielleitung",
    "landing.help.button.arbiter.does": "Unterbricht die Partie und lässt sie weitergehen.",
    "landing.help.button.not_turned": "Nicht gewendet",
    "landing.help.button.not_turned.does": (
        "Auf Brettern, die einen Pol eines Glases sehen: Das zuletzt abgesetzte Glas war nicht gewendet worden."
    ),
    "landing.help.button.table": "Eingabe, Weiter, Zurück, Vorige",
    "landing.help.button.table.does": "An einem Tisch ohne Sensoren: den gemachten Zug auswählen und eingeben.",
    "landing.help.lights": "Lichter",
    "landing.help.lights.what": (
        "Unter jedem Feld von TAMSK ist ein Licht. Jedes der acht Signale hat eine eigene Farbe und einen eigenen "
        "Rhythmus, damit niemand Farben unterscheiden muss. Ein stiller Schiedsrichter zeigt wenige davon, ein "
        "Trainer alle."
    ),
    "landing.help.lights.colour": "Licht",
    "landing.help.lights.rhythm": "Rhythmus",
    "landing.help.lights.meaning": "Bedeutung",
    "landing.light.movable": "Grün",
    "landing.light.movable.rhythm": "eine Sekunde an, eine Sekunde aus",
    "landing.light.movable.means": "dieses Glas darf ziehen",
    "landing.light.target": "Türkis",
    "landing.light.target.rhythm": "an, mit einer kurzen Lücke alle 2 Sekunden",
    "landing.light.target.means": "das gehobene Glas darf hierhin",
    "landing.light.full": "Violett",
    "landing.light.full.rhythm": "ein langer Blitz alle 4 Sekunden",
    "landing.light.full.means": "dieses Feld ist voll und gesperrt",
    "landing.light.running_out": "Bernstein",
    "landing.light.running_out.rhythm": "ein kurzer Blitz jede Sekunde",
    "landing.light.running_out.means": "dieses Glas hat weniger als 15 Sekunden",
    "landing.light.last": "Weiß",
    "landing.light.last.rhythm": "ruhig und schwach",
    "landing.light.last.means": "der letzte Zug",
    "landing.light.wrong": "Rot",
    "landing.light.wrong.rhythm": "schnell, fünf in 2 Sekunden",
    "landing.light.wrong.means": "hier stimmt etwas nicht; oder dieses Glas wenden",
    "landing.light.put": "Blau",
    "landing.light.put.rhythm": "zwei Blitze alle 2 Sekunden",
    "landing.light.put.means": "hier etwas hinstellen",
    "landing.light.take": "Gelb",
    "landing.light.take.rhythm": "drei Blitze alle 2 Sekunden",
    "landing.light.take.means": "das hier wegnehmen",
    "landing.help.display": "Anzeige und Klänge",
    "landing.help.display.what": (
        "Die erste Zeile sagt, wer am Zug ist oder was nicht stimmt. Darunter stehen die Sanduhren oder Ringe und "
        "was als Nächstes zu tun ist. Ein ! am Ende der ersten Zeile heißt, dass das Brett selbst eine Störung "
        "hat; die letzten Zeilen nennen sie von Zeit zu Zeit. Ohne Partie zeigt das Display die Adresse dieser "
        "Seite als Code."
    ),
    "landing.help.display.sounds": (
        "Gutes klingt steigend, Schlechtes fallend, eine Frage endet hoch, und ein Alarm wiederholt sich."
    ),
    "landing.help.rules": "Regeln",
    "landing.help.rules.what": (
        "Eine Entscheidung nennt ihre Regel mit der Nummer, etwa „Regel 11“. Hier steht, was sie sagt."
    ),
    "landing.help.keys": "Tastatur",
    "landing.help.keys.what": (
        "Jede Seite lässt sich allein mit der Tastatur bedienen: Tab führt weiter, Eingabe wählt aus."
    ),
    "landing.key.beside": "zum nächsten Feld",
    "landing.key.lift": "ein Glas heben oder absetzen",
    "landing.key.turn": "das Glas in der Hand wenden",
    "landing.key.let_go": "loslassen",
    "landing.key.pause": "die Partie unterbrechen oder weitergehen lassen",
    "landing.key.stopwatch": "die Stoppuhr starten oder anhalten",
    "landing.key.close": "schließen, ohne etwas zu tun",
    "landing.key.step": "ein Zug zurück, ein Zug weiter",
    "landing.key.ends": "der Anfang, das Ende",
}
