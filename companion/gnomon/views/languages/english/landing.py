"""English words for the first page, help, connecting a real board, and error pages."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "landing.skip": "Skip to the content",
    "landing.nav": "Pages",
    "landing.nav.board": "Board",
    "landing.nav.watch": "Watch",
    "landing.nav.games": "Games",
    "landing.nav.bench": "Bench",
    "landing.nav.desk": "Arbiter",
    "landing.nav.people": "People",
    "landing.nav.help": "Help",
    "landing.language": "Language",
    "landing.title": "Welcome",
    "landing.lead": "A game board that keeps the time and knows the rules.",
    "landing.lead.more": (
        "Gnomon senses every move on the table, says at once when one is not allowed and why, and writes each "
        "game down."
    ),
    "landing.now": "At the board now",
    "landing.now.none": "Nobody plays at the moment. This is what a game looks like.",
    "landing.now.open": "Look closer",
    "landing.demo": "Watch a demonstration",
    "landing.demo.what": "Hands play TAMSK on a simulated board. You can stop them, or make them faster.",
    "landing.demo.away": (
        "A game is unfinished. The demonstration goes on with its own; anybody else’s is put away "
        "and can be taken up again from the desk."
    ),
    "landing.demo.on": "A game is going on at the simulated board: watch it.",
    "landing.demo.go": "Start the demonstration",
    "landing.demo.watch": "Watch the game",
    "landing.bench": "Play on the simulated board",
    "landing.bench.what": "Pick up glasses, turn them, drop rings, press the buttons: by mouse, touch or keyboard.",
    "landing.bench.go": "To the simulated board",
    "landing.connect": "Connect a real board",
    "landing.connect.what": "From the wires to the first game, in seven short steps.",
    "landing.connect.go": "Show me how",
    "landing.play": "Play here",
    "landing.play.what": "Choose a game and who plays, set out the board, and begin.",
    "landing.play.on": "A game is going on. Its page shows whose turn it is and what the referee says.",
    "landing.play.go": "Start a game",
    "landing.play.board": "To the game",
    "landing.watch": "Watch",
    "landing.watch.what": "The board, the clocks and every ruling, live and without signing in.",
    "landing.watch.go": "Watch the board",
    "landing.phone": "Follow on your phone",
    "landing.phone.what": "Scan a code, and the board is in your hand.",
    "landing.phone.go": "Show the code",
    "landing.phones": "On your phone",
    "landing.phones.scan": (
        "Point the camera of a phone in the same network at the code, or type the address. Watching needs no name."
    ),
    "landing.phones.code": "Code with the address {address}",
    "landing.phones.alone": (
        "Only this machine reaches these pages now. To let phones in the same network in, stop the program and "
        "start it again like this:"
    ),
    "landing.rest": "More",
    "landing.rest.games": "Recorded games",
    "landing.rest.games.what": "Find, replay and download",
    "landing.rest.clock": "Clock",
    "landing.rest.clock.what": "Large enough to be read across a room",
    "landing.rest.desk": "Arbiter's desk",
    "landing.rest.desk.what": "Correct, pause and decide",
    "landing.rest.rules": "Rules",
    "landing.rest.rules.what": "Of all five games, with the numbers that rulings name",
    "landing.rest.help.what": "What buttons, lights and display say",
    "landing.document.english": "This text is written in English.",
    "landing.mistake.401": "Please sign in",
    "landing.mistake.401.do": (
        "Only people that the board knows may do this. Sign in, or pair this device with a code from the board."
    ),
    "landing.mistake.403": "That is not open to you",
    "landing.mistake.403.do": (
        "This needs another role, or the page that you came from was out of date. Go back and load it again, or "
        "sign in as somebody who may."
    ),
    "landing.mistake.404": "There is nothing here",
    "landing.mistake.404.do": "The address may be mistyped, or what it named is not here any more.",
    "landing.mistake.405": "This address is not a page",
    "landing.mistake.405.do": "It only receives forms. Go to the page that has the form, and send it from there.",
    "landing.mistake.421": "Another address is needed",
    "landing.mistake.421.do": "This page answers to the board's own address only.",
    "landing.mistake.429": "Too many requests",
    "landing.mistake.429.do": (
        "This network asked for more than the board can answer beside a game. Wait a few seconds and try again."
    ),
    "landing.mistake.500": "Something failed on this machine",
    "landing.mistake.500.do": (
        "It is not your fault, and the game at the board goes on. Try again; when it stays, the journal of the "
        "machine says more: journalctl -u gnomond"
    ),
    "landing.mistake.503": "Too much at once",
    "landing.mistake.503.do": (
        "The board has more to do than it can do at this moment. The game comes first: try again in a few seconds."
    ),
    "landing.mistake.hall.500.do": (
        "It is not your fault, and the games at the boards go on. Try again; if it stays, the hall’s own "
        "log says more: on the machine of the hall, journalctl -u gnomon-hall, or the terminal it runs "
        "in."
    ),
    "landing.mistake.hall.503.do": (
        "The hall has more to do than it can do at this moment. Try again in a few seconds."
    ),
    "landing.mistake.database": "The hall’s database is away",
    "landing.mistake.database.do": (
        "Nothing is lost: the boards play on and keep everything until it is back. This page tries again by itself."
    ),
    "landing.mistake.database.sent": (
        "Nothing is lost: the boards play on and keep everything until it is back. What you have just "
        "sent may not have been kept: look once it is back, then send it again."
    ),
    "landing.mistake.home": "Home page",
    "landing.connect.lead": (
        "You need a Raspberry Pi with Raspberry Pi OS, the parts of a board, and an evening. Each step ends with "
        "something that you can see."
    ),
    "landing.connect.more": "More about it: {name}",
    "landing.connect.guides": "All guides",
    "landing.connect.build": "Wire it",
    "landing.connect.build.do": (
        "This writes into the folder “wiring” which wire goes where, what to buy, and a drawing. It is made for "
        "TAMSK; tayu and table are the other boards."
    ),
    "landing.connect.install": "Install it",
    "landing.connect.install.do": (
        "On the Raspberry Pi, in the folder of this program. It takes some minutes and may be run again at any "
        "time; afterwards restart the machine once."
    ),
    "landing.connect.doctor": "Have it checked",
    "landing.connect.doctor.do": (
        "The doctor checks supply, buses, chips, permissions and clock: a line for each, with a remedy for what "
        "is wrong. Stop the service first, and do not touch the board meanwhile."
    ),
    "landing.connect.walk": "Walk over the board",
    "landing.connect.walk.do": (
        "It names a place, and you put a piece there. It learns how the board is really wired, so no wire has to "
        "be resoldered. Half an hour for TAMSK."
    ),
    "landing.connect.check": "Check the description, and keep it",
    "landing.connect.check.do": (
        "The first command shows pins, buses and currents, or every mistake with its line. The second one gives "
        "the service what the walk has learned."
    ),
    "landing.connect.start": "Start it",
    "landing.connect.start.do": (
        "From now on it starts with the machine. The display shows a code with the address of its page."
    ),
    "landing.connect.page": "Become its admin, and play",
    "landing.connect.page.do": (
        "Open the page with the name of your machine. Under “Sign in” type the code of eight letters and digits "
        "that the display shows: you are its admin. Then start a game."
    ),
    "landing.guide.install": "Installing",
    "landing.guide.walk": "The walk",
    "landing.guide.doctor": "The doctor",
    "landing.guide.board-description": "The board's description",
    "landing.guide.timekeeping": "Keeping time",
    "landing.guide.single-pole": "Boards that see one pole",
    "landing.guide.access": "Who may do what",
    "landing.guide.walkthrough": "One turn, from touch to light",
    "landing.help": "Help",
    "landing.help.board": "The board",
    "landing.help.board.senses": (
        "Play as you would without it. Sensors see each piece that is lifted and set down; a move counts as soon "
        "as it is complete, without pressing anything."
    ),
    "landing.help.board.wrong": (
        "When something is not allowed, the display names the rule and leads through the repair, one piece at a "
        "time. The game waits for it; in TAMSK the sand does not."
    ),
    "landing.help.board.asks": (
        "When the board can be read in two ways, the referee asks. Answer with a button, or on the page."
    ),
    "landing.help.buttons": "Buttons",
    "landing.help.button.own": "Red, Black",
    "landing.help.button.own.does": "Ends your own turn without a ring, and answers a question.",
    "landing.help.button.arbiter": "Arbiter",
    "landing.help.button.arbiter.does": "Pauses the game, and lets it go on.",
    "landing.help.button.not_turned": "Not turned",
    "landing.help.button.not_turned.does": (
        "On boards that see one pole of a glass: the glass set down last had not been turned over."
    ),
    "landing.help.button.table": "Enter, Next, Back, Previous",
    "landing.help.button.table.does": "At a table without sensors: choose the move that was made, and enter it.",
    "landing.help.lights": "Lights",
    "landing.help.lights.what": (
        "Under every space of TAMSK is a light. Each of the eight signals has a colour and a rhythm of its own, "
        "so nobody has to tell colours apart. A silent referee shows few of them, a coach all."
    ),
    "landing.help.lights.colour": "Light",
    "landing.help.lights.rhythm": "Rhythm",
    "landing.help.lights.meaning": "Meaning",
    "landing.light.movable": "Green",
    "landing.light.movable.rhythm": "one second on, one second off",
    "landing.light.movable.means": "this glass may move",
    "landing.light.target": "Cyan",
    "landing.light.target.rhythm": "on, with a short gap every 2 seconds",
    "landing.light.target.means": "the lifted glass may go here",
    "landing.light.full": "Violet",
    "landing.light.full.rhythm": "one long flash every 4 seconds",
    "landing.light.full.means": "this space is full, and closed",
    "landing.light.running_out": "Amber",
    "landing.light.running_out.rhythm": "a short flash every second",
    "landing.light.running_out.means": "this glass has less than 15 seconds left",
    "landing.light.last": "White",
    "landing.light.last.rhythm": "steady and faint",
    "landing.light.last.means": "the last move",
    "landing.light.wrong": "Red",
    "landing.light.wrong.rhythm": "quick, five in 2 seconds",
    "landing.light.wrong.means": "something is wrong here; or turn this glass over",
    "landing.light.put": "Blue",
    "landing.light.put.rhythm": "two flashes every 2 seconds",
    "landing.light.put.means": "put a piece here",
    "landing.light.take": "Yellow",
    "landing.light.take.rhythm": "three flashes every 2 seconds",
    "landing.light.take.means": "take this piece away",
    "landing.help.display": "Display and sounds",
    "landing.help.display.what": (
        "Its first line says whose turn it is, or what is wrong. Below are the glasses or rings, and what to do "
        "next. A ! at the end of the first line means that the board itself has a fault, which the last lines "
        "show from time to time. Without a game it shows the address of this page as a code."
    ),
    "landing.help.display.sounds": (
        "Good news rises, bad news falls, a question ends high, and an alarm repeats itself."
    ),
    "landing.help.rules": "Rules",
    "landing.help.rules.what": "A ruling names its rule by number, such as “rule 11”. Here is what it says.",
    "landing.help.keys": "Keyboard",
    "landing.help.keys.what": "Every page can be used by keyboard alone: Tab leads on, Enter chooses.",
    "landing.key.beside": "to the next space",
    "landing.key.lift": "lift a glass, or set it down",
    "landing.key.turn": "turn the glass in the hand over",
    "landing.key.let_go": "let go",
    "landing.key.pause": "pause the game, or let it go on",
    "landing.key.stopwatch": "start or stop the stopwatch",
    "landing.key.close": "close without doing anything",
    "landing.key.step": "a turn back, a turn on",
    "landing.key.ends": "the start, the end",
}
