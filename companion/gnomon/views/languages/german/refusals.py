"""German words for refusals that are recorded in English.

The English entries of this area are the patterns with which `gnomon.views.retelling` recognizes recorded sentences.
"""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "refusal.cited": "Regel {rule}: {text:upper}.",
    "refusal.cited.two": "Regeln {rule} und {also}: {text:upper}.",
    "refusal.plain": "{text:upper}.",
    "word.black": "schwarz",
    "word.white": "weiß",
    "word.north": "Norden",
    "word.east": "Osten",
    "word.south": "Süden",
    "word.west": "Westen",
    "word.ring": "Ring",
    "word.plain": "leer",
    "word.left": "links",
    "word.right": "rechts",
    "word.row": "Zeile",
    "word.column": "Spalte",
    "word.draw": "unentschieden",
    "told.tabik.no_such_move": "einen solchen Zug gibt es in Tabik nicht",
    "told.tabik.no_pie": "diese Partie wird ohne Tauschregel gespielt",
    "told.tabik.not_now": "nur Weiß tauscht die Seiten, und nur im ersten Zug von Weiß",
    "told.tabik.not_adjacent": "{first} und {second} liegen nicht waagrecht oder senkrecht nebeneinander",
    "told.tabik.occupied": "auf {square} steht ein Stein",
    "told.tabik.empty": "auf {square} steht kein Stein",
    "told.tabik.rod": "zwischen {first} und {second} liegt ein Stab",
    "told.tabik.same_colour": "die Steine auf {first} und {second} sind beide {colour}",
    "told.tabik.no_square": "{text}: auf einem Brett von {columns} x {rows} gibt es kein Feld {square}",
    "told.tabik.swap_order": (
        "{text}: ein Tausch nennt das niedrigere Feld zuerst, nach Zeile und dann nach Spalte: {right}"
    ),
    "told.tau.no_such_move": "einen solchen Zug gibt es in TAU nicht",
    "told.tau.no_limit": "vor dem ersten Strich muss jemand passen und so das LIMIT festlegen",
    "told.tau.limit_settled": "das LIMIT steht fest, und niemand bietet oder passt mehr",
    "told.tau.must_bid": "wer die Verhandlung beginnt, nennt eine Zahl und darf nicht passen",
    "told.tau.last_line": "{text} ist die letzte übrige {line}, und einige Felder müssen bleiben",
    "told.tau.no_square": "ein Strich durch {text} kreuzt kein übriges Feld",
    "told.tau.too_low": "es braucht eine Zahl über {bid}, oder man passt",
    "told.tau.columns": "{text}: das Gitter hat {columns} Spalten, die letzte ist {last}",
    "told.tau.rows": "{text}: das Gitter hat {rows} Zeilen",
    "told.tayu.no_such_move": "einen solchen Zug gibt es in Tayu nicht",
    "told.tayu.no_pass": "niemand passt; ein Gebot ist niedriger als das vorige oder ihm gleich",
    "told.tayu.must_bid": "zuerst wird um die Rolle des Saboteurs geboten",
    "told.tayu.must_pick": "jetzt muss gewählt werden, woher das nächste Plättchen kommt",
    "told.tayu.must_draw": "jetzt muss ein Plättchen gezogen werden",
    "told.tayu.must_lay": "das gezogene Plättchen {tile} muss jetzt gelegt werden",
    "told.tayu.too_high": "ein Gebot ist höchstens {most}, wie das vorige",
    "told.tayu.no_such_pick.stacks": "von Stapeln (draw=stacks) wählt man links oder rechts, nicht {pick}",
    "told.tayu.no_such_pick.backs": "nach Rückseiten (draw=backs) wählt man Ring oder leer, nicht {pick}",
    "told.tayu.none_to_pick": "so lässt sich kein Plättchen mehr wählen: {pick}",
    "told.tayu.none_left": "kein Plättchen {tile} ist übrig",
    "told.tayu.other_back": "das Plättchen {tile} hat nicht die gewählte Rückseite",
    "told.tayu.other_tile": "gezogen wurde das Plättchen {tile}, nicht {other}",
    "told.tayu.outside": "ein Plättchen von {square} nach {side} ragt über das Brett hinaus",
    "told.tayu.occupied": "auf {square} liegt schon ein Plättchen",
    "told.tayu.off_centre": "das erste Plättchen muss die Mitte des Bretts bedecken",
    "told.tayu.meets_blank": "der Ausfluss von {here} nach {side} trifft auf eine leere Seite von {there}",
    "told.tayu.blocks_outflow": "die leere Seite von {here} nach {side} versperrt einen Ausfluss von {there}",
    "told.tayu.not_joined": "kein Ausfluss des Plättchens trifft auf einen Ausfluss eines liegenden",
    "told.tayu.stays": "ein gelegtes Plättchen bleibt, wo es ist",
    "told.tayu.no_tile_drawn": "ein Plättchen wird gezogen, bevor es gelegt wird",
    "told.tayu.two_tiles": "je Zug wird ein Plättchen gelegt",
    "told.tayu.no_footprint": "ein Plättchen bedeckt drei Felder in einer Reihe",
    "told.twenty-squares.no_such_move": "einen solchen Zug gibt es in Tau (Twenty Squares) nicht",
    "told.twenty-squares.throw_due": "vor dem Ziehen wird geworfen",
    "told.twenty-squares.no_chain": "das ist schon der Einsetzwurf, und er wird nicht noch einmal umgewandelt",
    "told.twenty-squares.entry_throw": "der Einsetzwurf setzt einen Stein ein und zieht keinen auf dem Brett",
    "told.twenty-squares.empty_hand": "kein Stein ist mehr in der Hand",
    "told.twenty-squares.no_gate": "in dieser Partie setzt jeder Wurf einen Stein ein, und keiner wird umgewandelt",
    "told.twenty-squares.no_entry": "ein Stein wird nur nach einer 1 oder 5 eingesetzt, mit einem zweiten Wurf",
    "told.twenty-squares.convert_first": "ein Stein wird mit einem zweiten Wurf eingesetzt: diesen zuerst umwandeln",
    "told.twenty-squares.must_convert": "mit entry=auto wird dieser Wurf umgewandelt und zieht keinen Stein",
    "told.twenty-squares.nothing_thrown": "nach den Regeln von Aseb verliert ein Wurf von null den Zug",
    "told.twenty-squares.must_move": "ein erlaubter Zug muss gemacht werden, und es gibt einen",
    "told.twenty-squares.no_such_throw": "die Würfe dieser Partie sind {numbers}, nicht {number}",
    "told.twenty-squares.throws": "{text}: die Würfe dieser Partie sind {numbers}",
    "told.twenty-squares.answer_due": "zuerst muss der Wurf von {throw} beantwortet werden",
    "told.twenty-squares.not_convertible": "umgewandelt wird eine 1 oder 5, nicht eine {throw}",
    "told.twenty-squares.not_the_throw": "ein Stein zieht um den ganzen Wurf, also um {throw}, nicht um {number}",
    "told.twenty-squares.no_counter": "auf {square} steht kein Stein von {player}",
    "told.twenty-squares.beyond": "von {square} wird ein Stein genau mit einer {needed} hinausgespielt",
    "told.twenty-squares.stack": "auf dem Stapel auf {square} landet kein Gegner (stacking=invincible)",
    "told.twenty-squares.own_counter": "auf {square} steht ein eigener Stein",
    "told.twenty-squares.partner": "auf {square} steht ein Stein des Partners {player}",
    "told.twenty-squares.safe": "der Stein von {player} auf {square} ist auf der Rosette sicher",
    "told.twenty-squares.backwards": "Steine ziehen vorwärts, und {first} kommt nicht vor {second}",
    "told.twenty-squares.off_route": "{square} liegt nicht auf dem Weg von {player}",
    "told.twenty-squares.no_square": "{text}: auf dem Brett {board} gibt es kein Feld {square}",
    "remark.size": "Größe {size} ist eine Vermutung: keine Quelle nennt die Größe des Bretts dieser Ausgabe",
    "remark.doubles": (
        "Doppelfelder {places} sind eine Vermutung: keine Quelle nennt ihren Platz auf dem Brett dieser Ausgabe"
    ),
    "remark.tau": (
        "jede Rekonstruktion des Spiels der zwanzig Felder ist Vermutung; seine Regeln sind eine heutige Deutung "
        "alter Bretter und Würfel"
    ),
    "remark.double": (
        "jede Rekonstruktion des Spiels der zwanzig Felder ist Vermutung; ebenso die Wege auf dem Doppelbrett und "
        "das Spiel in Paaren"
    ),
    "remark.jiroft": (
        "jede Rekonstruktion des Spiels der zwanzig Felder ist Vermutung; ebenso der Weg auf dem kurzen Brett von "
        "Jiroft, das hier den Regeln von Tau folgt"
    ),
    "remark.asha": (
        "jede Rekonstruktion des Spiels der zwanzig Felder ist Vermutung; wie Asha gespielt wurde, ist weitgehend "
        "verloren, und es folgt hier den Regeln von Tau"
    ),
    "told.tamsk.no_such_move": "einen solchen Zug gibt es in TAMSK nicht",
    "told.tamsk.blocked": "kein Nachbarfeld von {space} kann betreten werden",
    "told.tamsk.no_timer15": "die 15-Sekunden-Uhr gehört zu Stufe 3",
    "told.tamsk.timer15_running": "die 15-Sekunden-Uhr wird nur gedreht, wenn sie leer ist",
    "told.tamsk.no_move": "{player} hat keinen Zug, also wird die 15-Sekunden-Uhr nicht gedreht",
    "told.tamsk.in_the_air": "ein Zug bewegt eine Sanduhr, und die von {space} ist in der Luft",
    "told.tamsk.no_glass": "auf {space} steht keine Sanduhr",
    "told.tamsk.not_yours": "die Sanduhr auf {space} gehört nicht {player}",
    "told.tamsk.must_pass": "{player} hat keinen Ring mehr und setzt aus",
    "told.tamsk.not_adjacent": "{target} ist kein Nachbarfeld von {origin}",
    "told.tamsk.occupied": "auf {space} steht eine Sanduhr",
    "told.tamsk.full": "{space} ist voll",
    "told.tamsk.turn_lost": "{player} hat diesen Zug verloren",
    "told.tamsk.must_be_another_glass": "in den ersten drei Zügen zieht jedes Mal eine andere Sanduhr als {space}",
    "told.tamsk.stopped_glass": "die Sanduhr auf {space} ist abgelaufen und zieht nie wieder",
    "told.tamsk.not_forgotten": "auf {space} wurde kein Ring vergessen",
    "told.tamsk.ring_due": "mit ring=auto fällt bei jedem Zug ein Ring",
    "told.tamsk.no_ring": "{player} hat noch {left} und kann nicht {needed} fallen lassen",
    "told.tamsk.two_rings": "{player} darf keinen zweiten Ring fallen lassen",
    "told.tamsk.first_ring": "der erste Ring auf {space} ist nicht der zweite",
    "told.tamsk.no_room": "auf {space} ist kein Platz für den zweiten Ring",
    "told.tamsk.not_lost": "{player} hat diesen Zug nicht verloren",
    "told.tamsk.none_left": "{player} hat keinen Ring mehr",
    "told.tamsk.must_move": "{player} kann ziehen und muss also",
    "told.tamsk.holds": "{space} fasst 0 bis {most} Ringe, nicht {count}",
    "told.tamsk.has": "{player} hat noch 0 bis {most} Ringe, nicht {count}",
    "told.tamsk.no_sand": "auf Stufe 1 läuft keine Sanduhr",
    "told.tamsk.by_itself": (
        "die Zeit entscheidet, wann Sand abgelaufen ist, und niemand sagt es an, außer mit time=sand"
    ),
    "told.tamsk.not_running.timer15": "die 15-Sekunden-Uhr läuft nicht, kann also nicht für abgelaufen erklärt werden",
    "told.tamsk.not_running": "die Sanduhr auf {space} läuft nicht, kann also nicht für abgelaufen erklärt werden",
    "told.tamsk.notation": "{text} ist kein TAMSK-Zug wie {examples}, pass oder lost",
    "told.tabik.notation": "{text} ist kein Tabik-Zug wie a1b1 (Schwarz a1, Weiß b1), a1~b1 (Tausch) oder pie",
    "told.tau.notation": "{text} ist kein TAU-Zug wie r1 (Zeile), ca (Spalte), bid:70 oder pass",
    "told.tayu.notation": "{text} ist kein Tayu-Zug wie 013@h9/E, draw:013, pick:ring, pick:left oder bid:28",
    "told.tayu.squares": "{text}: die Felder des Bretts sind a1 bis {last}",
    "told.twenty-squares.notation": (
        "{text} ist kein Zug wie d1-a2 (von Feld zu Feld), in-b1 (aus der Hand), i2-off (hinaus), convert, "
        "forfeit oder throw:4"
    ),
    "word.timer15": "15-Sekunden-Uhr",
    "told.tamsk.no_lift": "nur auf Stufe 3 ist das Anheben ein eigener Zug",
    "told.tamsk.only_its_own": "eine Sanduhr ist in der Luft, und nur ihre Züge werden gespielt",
    "told.setting.number": "{setting} ist eine ganze Zahl von {least} bis {most}, nicht {value}",
    "told.setting.upwards": "limit ist eine ganze Zahl ab 0, nicht {value}",
    "told.setting.one_of": "{setting} ist eines von {choices}, nicht {value}",
    "told.setting.none": "{game} hat keine Einstellung {setting}; es gibt {known}",
    "told.setting.tau.one": (
        "rows und columns sind nicht beide 1: auf einem einzigen Feld gibt es nichts zu spielen (Regel 1)"
    ),
    "told.setting.tayu.auction": "auction=yes ist für drei Spieler, nicht für {players} (Regel 10)",
    "told.setting.tayu.doubles": "doubles sind verschiedene Felder von 0 bis {most} auf jeder Seite, nicht {value}",
    "told.setting.tayu.doubles.list": (
        "doubles ist eine Liste von Feldern, gezählt ab 0, wie 3,9,15, oder none, oder vier Listen mit / "
        "dazwischen für Norden, Osten, Süden und Westen, nicht {value}"
    ),
    "told.setting.twenty-squares.four": "zu viert spielt man nur auf board=double, nicht auf board={board}",
    "told.setting.twenty-squares.four.route": (
        "zu viert läuft man 19 Schritte: players=4 gehört zu route=short, nicht zu route=long"
    ),
    "told.setting.twenty-squares.route": "route=short ist ein Weg von board=double, nicht von board={board}",
    "told.setting.twenty-squares.counters": (
        "counters ist auf board={board} eine ganze Zahl von 1 bis {most}, nicht {value}"
    ),
    "told.setting.twenty-squares.sticks": (
        "ruleset=aseb wird mit vier Stäben geworfen, 0 bis 4: dice=sticks, nicht dice={dice}"
    ),
    "told.setting.twenty-squares.gate": (
        "ruleset=aseb kennt keinen Einsetzwurf: jeder Wurf setzt ein, und entry=auto hat nichts umzuwandeln"
    ),
    "told.setting.twenty-squares.asha": "board=asha wird nach ruleset=tau gespielt, nicht nach ruleset=aseb",
    "told.host.own_board": "TAMSK wird auf dem eigenen Brett gespielt: gnomond mit --board tamsk starten",
    "told.host.larger": "das Brett dieser Partie ist größer als das vorhandene, dem {places} fehlen",
    "told.host.which": "bitte sagen, welches Spiel: {games}",
    "told.host.no_game": "es gibt kein Spiel {game}; die Spiele sind {games}",
    "told.setting.whole": "{setting} ist eine ganze Zahl, nicht {value}",
    "told.journal": "das Journal {file} ist nicht zu gebrauchen: {cause}",
    "told.journal.why": "das Journal {file} ist nicht zu gebrauchen: {cause} ({detail})",
    "told.journal.moved": "das Journal {file} ist nicht mehr die Datei, die geöffnet wurde: gnomond neu starten",
    "told.journal.ended": "das Journal {file} wird nicht mehr geschrieben: sein Thread ist beendet",
    "told.damage.altered": "Eintrag {entry} ist nicht mehr so, wie er geschrieben wurde",
    "told.damage.among": "einer der Einträge {first} bis {last} ist nicht mehr so, wie er geschrieben wurde",
    "told.damage.missing": "Eintrag {entry} fehlt",
    "told.damage.gone": "die Einträge {first} bis {last} fehlen",
    "told.damage.other": "es ist ein anderes Journal, das spätestens ab Eintrag {entry} abweicht",
    "told.damage.unread": "nichts darin ist lesbar ({detail})",
    "told.damage.beside": "alle Einträge sind da, aber nicht alles, was daneben steht ({detail})",
    "cause.full": "die Platte ist voll",
    "cause.read_only": "es darf nur gelesen werden",
    "cause.not_opened": "es lässt sich nicht öffnen",
    "cause.busy": "ein anderes Programm hält es fest",
    "cause.damaged": "es ist beschädigt",
    "cause.no_journal": "es ist kein Journal, oder beschädigt",
    "cause.refused": "die Platte verweigert es",
}
