"""French words for refusals that are recorded in English.

The English entries of this area are the patterns with which `gnomon.views.retelling` recognizes recorded sentences.
"""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "refusal.cited": "Règle {rule} : {text}.",
    "refusal.cited.two": "Règles {rule} et {also} : {text}.",
    "refusal.plain": "{text:upper}.",
    "word.black": "noires",
    "word.white": "blanches",
    "word.north": "nord",
    "word.east": "est",
    "word.south": "sud",
    "word.west": "ouest",
    "word.ring": "anneau",
    "word.plain": "uni",
    "word.left": "gauche",
    "word.right": "droite",
    "word.row": "rangée",
    "word.column": "colonne",
    "word.draw": "partie nulle",
    "told.tabik.no_such_move": "ce coup n’existe pas dans Tabik",
    "told.tabik.no_pie": "cette partie se joue sans l’échange des camps",
    "told.tabik.not_now": "seul Blanc échange les camps, et seulement à son premier tour",
    "told.tabik.not_adjacent": "{first} et {second} ne sont pas voisines par un côté",
    "told.tabik.occupied": "une pierre est en {square}",
    "told.tabik.empty": "aucune pierre n’est en {square}",
    "told.tabik.rod": "une baguette sépare {first} et {second}",
    "told.tabik.same_colour": "les pierres en {first} et {second} sont toutes deux {colour}",
    "told.tabik.no_square": "{text} : il n’y a pas de case {square} sur un plateau de {columns} x {rows}",
    "told.tabik.swap_order": (
        "{text} : un échange nomme d’abord la case la plus basse, par rangée puis par colonne : {right}"
    ),
    "told.tau.no_such_move": "ce coup n’existe pas dans TAU",
    "told.tau.no_limit": "avant le premier trait, quelqu’un doit passer et fixer ainsi la LIMITE",
    "told.tau.limit_settled": "la LIMITE est fixée, et personne n’annonce ni ne passe plus",
    "told.tau.must_bid": "qui ouvre la négociation annonce un nombre et ne peut pas passer",
    "told.tau.last_line": "{text} est la dernière {line} restante, et il doit rester des cases",
    "told.tau.no_square": "un trait à travers {text} ne croise aucune case restante",
    "told.tau.too_low": "il faut un nombre supérieur à {bid}, ou passer",
    "told.tau.columns": "{text} : la grille a {columns} colonnes, la dernière est {last}",
    "told.tau.rows": "{text} : la grille a {rows} rangées",
    "told.tayu.no_such_move": "ce coup n’existe pas dans Tayu",
    "told.tayu.no_pass": "personne ne passe ; une enchère est inférieure ou égale à la précédente",
    "told.tayu.must_bid": "on enchérit d’abord pour le rôle du saboteur",
    "told.tayu.must_pick": "il faut maintenant choisir d’où vient la prochaine tuile",
    "told.tayu.must_draw": "il faut maintenant tirer une tuile",
    "told.tayu.must_lay": "la tuile tirée, {tile}, doit être posée maintenant",
    "told.tayu.too_high": "une enchère est d’au plus {most}, comme la précédente",
    "told.tayu.no_such_pick.stacks": "avec des piles (draw=stacks), on choisit gauche ou droite, pas {pick}",
    "told.tayu.no_such_pick.backs": "d’après les dos (draw=backs), on choisit anneau ou uni, pas {pick}",
    "told.tayu.none_to_pick": "il ne reste plus de tuile à choisir : {pick}",
    "told.tayu.none_left": "il ne reste plus de tuile {tile}",
    "told.tayu.other_back": "la tuile {tile} n’a pas le dos qui a été choisi",
    "told.tayu.other_tile": "la tuile tirée est {tile}, pas {other}",
    "told.tayu.outside": "une tuile de {square} en direction {side} sort du plateau",
    "told.tayu.occupied": "une tuile se trouve déjà en {square}",
    "told.tayu.off_centre": "la première tuile doit couvrir le centre du plateau",
    "told.tayu.meets_blank": "la sortie {side} de {here} rencontre un côté fermé de {there}",
    "told.tayu.blocks_outflow": "le côté {side} de {here}, fermé, bloque une sortie de {there}",
    "told.tayu.not_joined": "aucune sortie de la tuile ne rejoint une sortie d’une tuile du plateau",
    "told.tayu.stays": "une tuile posée reste où elle est",
    "told.tayu.no_tile_drawn": "une tuile est tirée avant d’être posée",
    "told.tayu.two_tiles": "on pose une tuile par tour",
    "told.tayu.no_footprint": "une tuile couvre trois cases alignées",
    "told.twenty-squares.no_such_move": "ce coup n’existe pas dans Tau (Twenty Squares)",
    "told.twenty-squares.throw_due": "il faut lancer avant de jouer",
    "told.twenty-squares.no_chain": "c’est déjà le jet d’entrée, et on ne le convertit pas de nouveau",
    "told.twenty-squares.entry_throw": "le jet d’entrée fait entrer un pion et n’en déplace aucun",
    "told.twenty-squares.empty_hand": "il n’y a plus de pion en main",
    "told.twenty-squares.no_gate": "dans cette partie, tout jet fait entrer un pion et aucun n’est converti",
    "told.twenty-squares.no_entry": "un pion n’entre qu’après un 1 ou un 5, par un second jet",
    "told.twenty-squares.convert_first": "un pion entre par un second jet : convertissez d’abord celui-ci",
    "told.twenty-squares.must_convert": "avec entry=auto, ce jet est converti et ne déplace aucun pion",
    "told.twenty-squares.nothing_thrown": "selon les règles d’Aseb, un jet nul fait perdre le tour",
    "told.twenty-squares.must_move": "il faut jouer un coup permis, et il y en a un",
    "told.twenty-squares.no_such_throw": "les jets de cette partie sont {numbers}, pas {number}",
    "told.twenty-squares.throws": "{text} : les jets de cette partie sont {numbers}",
    "told.twenty-squares.answer_due": "il faut d’abord répondre au jet de {throw}",
    "told.twenty-squares.not_convertible": "on convertit un 1 ou un 5, pas un {throw}",
    "told.twenty-squares.not_the_throw": "un pion avance de tout le jet, soit de {throw}, pas de {number}",
    "told.twenty-squares.no_counter": "aucun pion de {player} n’est en {square}",
    "told.twenty-squares.beyond": "depuis {square}, un pion sort par un jet de {needed} exactement",
    "told.twenty-squares.stack": "aucun adversaire n’arrive sur la pile en {square} (stacking=invincible)",
    "told.twenty-squares.own_counter": "un de vos propres pions est en {square}",
    "told.twenty-squares.partner": "un pion du partenaire {player} est en {square}",
    "told.twenty-squares.safe": "le pion de {player} en {square} est à l’abri sur la rosette",
    "told.twenty-squares.backwards": "les pions avancent, et {first} ne vient pas avant {second}",
    "told.twenty-squares.off_route": "{square} n’est pas sur le parcours de {player}",
    "told.twenty-squares.no_square": "{text} : il n’y a pas de case {square} sur le plateau {board}",
    "remark.size": "la taille {size} est une supposition : aucune source n’indique celle du plateau de cette édition",
    "remark.doubles": (
        "les cases doubles {places} sont une supposition : aucune source n’indique leur place dans cette édition"
    ),
    "remark.tau": (
        "toute reconstitution du jeu des vingt cases est conjecturale ; ses règles sont une lecture moderne de "
        "plateaux et de dés anciens"
    ),
    "remark.double": (
        "toute reconstitution du jeu des vingt cases est conjecturale ; de même les parcours du plateau double et "
        "le jeu en équipes"
    ),
    "remark.jiroft": (
        "toute reconstitution du jeu des vingt cases est conjecturale ; de même le parcours du plateau court de "
        "Jiroft, qui suit ici les règles de Tau"
    ),
    "remark.asha": (
        "toute reconstitution du jeu des vingt cases est conjecturale ; on a presque tout perdu du jeu d’Asha, "
        "qui suit ici les règles de Tau"
    ),
    "told.tamsk.no_such_move": "ce coup n’existe pas dans TAMSK",
    "told.tamsk.blocked": "aucune case voisine de {space} n’est accessible",
    "told.tamsk.no_timer15": "le sablier de 15 secondes est pour le niveau 3",
    "told.tamsk.timer15_running": "on ne retourne le sablier de 15 secondes que lorsqu’il est vide",
    "told.tamsk.no_move": "{player} n’a aucun coup, donc on ne retourne pas le sablier de 15 secondes",
    "told.tamsk.in_the_air": "un tour déplace un seul sablier, et celui de {space} est en l’air",
    "told.tamsk.no_glass": "aucun sablier n’est en {space}",
    "told.tamsk.not_yours": "le sablier en {space} n’est pas à {player}",
    "told.tamsk.must_pass": "{player} n’a plus d’anneau et passe",
    "told.tamsk.not_adjacent": "{target} n’est pas voisine de {origin}",
    "told.tamsk.occupied": "un sablier est en {space}",
    "told.tamsk.full": "{space} est pleine",
    "told.tamsk.turn_lost": "{player} a perdu ce tour",
    "told.tamsk.must_be_another_glass": "les trois premiers tours déplacent chacun un autre sablier que {space}",
    "told.tamsk.stopped_glass": "le sablier en {space} est écoulé et ne bouge plus jamais",
    "told.tamsk.not_forgotten": "aucun anneau n’a été oublié en {space}",
    "told.tamsk.ring_due": "avec ring=auto, un anneau tombe à chaque coup",
    "told.tamsk.no_ring": "{player} en a encore {left} et ne peut pas en poser {needed}",
    "told.tamsk.two_rings": "{player} n’a pas de second anneau à poser",
    "told.tamsk.first_ring": "le premier anneau en {space} n’est pas le second",
    "told.tamsk.no_room": "il n’y a pas de place en {space} pour le second anneau",
    "told.tamsk.not_lost": "{player} n’a pas perdu ce tour",
    "told.tamsk.none_left": "{player} n’a plus d’anneau",
    "told.tamsk.must_move": "{player} peut jouer, et le doit donc",
    "told.tamsk.holds": "{space} contient de 0 à {most} anneaux, pas {count}",
    "told.tamsk.has": "{player} a encore de 0 à {most} anneaux, pas {count}",
    "told.tamsk.no_sand": "au niveau 1, aucun sablier ne coule",
    "told.tamsk.by_itself": "le temps décide quand le sable est écoulé, et personne ne l’annonce, sauf avec time=sand",
    "told.tamsk.not_running.timer15": "le sablier de 15 secondes ne coule pas, on ne peut donc pas le dire écoulé",
    "told.tamsk.not_running": "le sablier en {space} ne coule pas, on ne peut donc pas le dire écoulé",
    "told.tamsk.notation": "{text} n’est pas un coup de TAMSK comme {examples}, pass ou lost",
    "told.tabik.notation": "{text} n’est pas un coup de Tabik comme a1b1 (noir a1, blanc b1), a1~b1 (échange) ou pie",
    "told.tau.notation": "{text} n’est pas un coup de TAU comme r1 (rangée), ca (colonne), bid:70 ou pass",
    "told.tayu.notation": "{text} n’est pas un coup de Tayu comme 013@h9/E, draw:013, pick:ring, pick:left ou bid:28",
    "told.tayu.squares": "{text} : les cases du plateau vont de a1 à {last}",
    "told.twenty-squares.notation": (
        "{text} n’est pas un coup comme d1-a2 (de case en case), in-b1 (depuis la main), i2-off (sortie), "
        "convert, forfeit ou throw:4"
    ),
    "word.timer15": "sablier de 15 secondes",
    "told.tamsk.no_lift": "soulever n’est un coup à part qu’au niveau 3",
    "told.tamsk.only_its_own": "un sablier est en l’air, et seuls ses propres coups se jouent",
    "told.setting.number": "{setting} est un nombre entier de {least} à {most}, pas {value}",
    "told.setting.upwards": "limit est un nombre entier à partir de 0, pas {value}",
    "told.setting.one_of": "{setting} est l’un de {choices}, pas {value}",
    "told.setting.none": "{game} n’a pas de réglage {setting} ; il y a {known}",
    "told.setting.tau.one": (
        "rows et columns ne valent pas 1 toutes deux : sur une seule case, il n’y a rien à jouer (règle 1)"
    ),
    "told.setting.tayu.auction": "auction=yes est pour trois joueurs, pas pour {players} (règle 10)",
    "told.setting.tayu.doubles": "doubles sont des cases différentes de 0 à {most} sur chaque côté, pas {value}",
    "told.setting.tayu.doubles.list": (
        "doubles est une liste de cases comptées à partir de 0, comme 3,9,15, ou none, ou quatre listes séparées "
        "par / pour nord, est, sud et ouest, pas {value}"
    ),
    "told.setting.twenty-squares.four": "à quatre, on joue seulement sur board=double, pas sur board={board}",
    "told.setting.twenty-squares.four.route": (
        "à quatre, on parcourt 19 pas : players=4 va avec route=short, pas avec route=long"
    ),
    "told.setting.twenty-squares.route": "route=short est un parcours de board=double, pas de board={board}",
    "told.setting.twenty-squares.counters": (
        "counters est sur board={board} un nombre entier de 1 à {most}, pas {value}"
    ),
    "told.setting.twenty-squares.sticks": (
        "ruleset=aseb se joue avec quatre bâtons, de 0 à 4 : dice=sticks, pas dice={dice}"
    ),
    "told.setting.twenty-squares.gate": (
        "ruleset=aseb n’a pas de jet d’entrée : tout jet fait entrer, et entry=auto n’a rien à convertir"
    ),
    "told.setting.twenty-squares.asha": "board=asha se joue selon ruleset=tau, pas selon ruleset=aseb",
    "told.host.own_board": "TAMSK se joue sur son propre plateau : démarrez gnomond avec --board tamsk",
    "told.host.larger": "le plateau de cette partie est plus grand que celui d’ici, auquel il manque {places}",
    "told.host.which": "dites quel jeu : {games}",
    "told.host.no_game": "il n’y a pas de jeu {game} ; les jeux sont {games}",
    "told.setting.whole": "{setting} est un nombre entier, pas {value}",
    "told.journal": "le journal {file} est inutilisable : {cause}",
    "told.journal.why": "le journal {file} est inutilisable : {cause} ({detail})",
    "told.journal.moved": "le journal {file} n’est plus le fichier qui a été ouvert : redémarrez gnomond",
    "told.journal.ended": "le journal {file} n’est plus écrit : son fil s’est terminé",
    "told.damage.altered": "l’entrée {entry} n’est plus telle qu’elle a été écrite",
    "told.damage.among": "l’une des entrées {first} à {last} n’est plus telle qu’elle a été écrite",
    "told.damage.missing": "l’entrée {entry} manque",
    "told.damage.gone": "les entrées {first} à {last} manquent",
    "told.damage.other": "c’est un autre journal, différent au plus tard à partir de l’entrée {entry}",
    "told.damage.unread": "rien n’y est lisible ({detail})",
    "told.damage.beside": "toutes les entrées y sont, mais pas tout ce qui les accompagne ({detail})",
    "cause.full": "le disque est plein",
    "cause.read_only": "il est en lecture seule",
    "cause.not_opened": "il ne peut pas être ouvert",
    "cause.busy": "un autre programme l’utilise",
    "cause.damaged": "il est endommagé",
    "cause.no_journal": "ce n’est pas un journal, ou il est endommagé",
    "cause.refused": "le disque le refuse",
}
