"""French words for the first page, help, connecting a real board, and error pages."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "landing.skip": "Aller au contenu",
    "landing.nav": "Pages",
    "landing.nav.board": "Plateau",
    "landing.nav.watch": "Regarder",
    "landing.nav.games": "Parties",
    "landing.nav.bench": "Établi",
    "landing.nav.desk": "Arbitre",
    "landing.nav.people": "Personnes",
    "landing.nav.help": "Aide",
    "landing.language": "Langue",
    "landing.title": "Bienvenue",
    "landing.lead": "Un plateau de jeu qui tient le temps et connaît les règles.",
    "landing.lead.more": (
        "Gnomon perçoit chaque coup sur la table, dit aussitôt lequel n’est pas permis et pourquoi, et note "
        "chaque partie."
    ),
    "landing.now": "En ce moment au plateau",
    "landing.now.none": "Personne ne joue pour l’instant. Voici à quoi ressemble une partie.",
    "landing.now.open": "Voir de plus près",
    "landing.demo": "Regarder une démonstration",
    "landing.demo.what": "Le programme joue à TAMSK sur un plateau simulé. Vous pouvez l’arrêter ou l’accélérer.",
    "landing.demo.away": (
        "Une partie n’est pas terminée. La démonstration reprend la sienne ; toute autre est mise de côté "
        "et pourra être reprise depuis la table d’arbitrage."
    ),
    "landing.demo.on": "Une partie est en cours sur le plateau simulé : regardez-la.",
    "landing.demo.go": "Lancer la démonstration",
    "landing.demo.watch": "Regarder la partie",
    "landing.bench": "Jouer sur le plateau simulé",
    "landing.bench.what": (
        "Soulevez et retournez les sabliers, lâchez des anneaux, pressez les boutons : souris, doigt ou clavier."
    ),
    "landing.bench.go": "Vers le plateau simulé",
    "landing.connect": "Brancher un vrai plateau",
    "landing.connect.what": "Des fils à la première partie, en sept courtes étapes.",
    "landing.connect.go": "Montrez-moi comment",
    "landing.play": "Jouer ici",
    "landing.play.what": "Choisissez un jeu et qui joue, préparez le plateau, et commencez.",
    "landing.play.on": "Une partie est en cours. Sa page montre à qui c’est de jouer et ce que dit l’arbitre.",
    "landing.play.go": "Commencer une partie",
    "landing.play.board": "Vers la partie",
    "landing.watch": "Regarder",
    "landing.watch.what": "Le plateau, les pendules et chaque décision, en direct et sans connexion.",
    "landing.watch.go": "Regarder le plateau",
    "landing.phone": "Suivre sur votre téléphone",
    "landing.phone.what": "Scannez un code, et le plateau est dans votre main.",
    "landing.phone.go": "Afficher le code",
    "landing.phones": "Sur votre téléphone",
    "landing.phones.scan": (
        "Visez le code avec un téléphone du même réseau, ou tapez l’adresse. Pour regarder, aucun nom n’est nécessaire."
    ),
    "landing.phones.code": "Code contenant l’adresse {address}",
    "landing.phones.alone": (
        "Pour l’instant, seule cette machine atteint ces pages. Pour laisser entrer les téléphones du même "
        "réseau, arrêtez le programme et relancez-le ainsi :"
    ),
    "landing.rest": "Et aussi",
    "landing.rest.games": "Parties enregistrées",
    "landing.rest.games.what": "Trouver, rejouer, télécharger",
    "landing.rest.clock": "Pendule",
    "landing.rest.clock.what": "Assez grande pour être lue à travers une pièce",
    "landing.rest.desk": "Table de l’arbitre",
    "landing.rest.desk.what": "Corriger, suspendre, décider",
    "landing.rest.rules": "Règles",
    "landing.rest.rules.what": "Des cinq jeux, avec les numéros cités par les décisions",
    "landing.rest.help.what": "Ce que disent boutons, lumières et écran",
    "landing.document.english": "Ce texte est rédigé en anglais.",
    "landing.mistake.401": "Connectez-vous",
    "landing.mistake.401.do": (
        "Seules les personnes connues du plateau peuvent le faire. Connectez-vous, ou associez cet appareil avec "
        "un code du plateau."
    ),
    "landing.mistake.403": "Cela ne vous est pas ouvert",
    "landing.mistake.403.do": (
        "Il faut un autre rôle, ou la page d’où vous venez n’était plus à jour. Revenez en arrière et rechargez- "
        "la, ou connectez-vous comme quelqu’un qui y a droit."
    ),
    "landing.mistake.404": "Il n’y a rien ici",
    "landing.mistake.404.do": "L’adresse est peut-être mal tapée, ou ce qu’elle désignait n’est plus là.",
    "landing.mistake.405": "Cette adresse n’est pas une page",
    "landing.mistake.405.do": "Elle n’accepte que des formulaires. Allez à la page du formulaire et envoyez-le de là.",
    "landing.mistake.421": "Il faut une autre adresse",
    "landing.mistake.421.do": "Cette page ne répond qu’à l’adresse du plateau.",
    "landing.mistake.429": "Trop de demandes",
    "landing.mistake.429.do": (
        "Ce réseau a envoyé plus de demandes que le plateau ne peut en traiter pendant une partie. Attendez "
        "quelques secondes et réessayez."
    ),
    "landing.mistake.500": "Quelque chose a échoué sur cette machine",
    "landing.mistake.500.do": (
        "Vous n’y êtes pour rien, et la partie au plateau continue. Réessayez ; si cela persiste, le journal de "
        "la machine en dit plus : journalctl -u gnomond"
    ),
    "landing.mistake.503": "Trop à la fois",
    "landing.mistake.503.do": (
        "Le plateau a plus à faire qu’il ne peut en ce moment. La partie passe avant : réessayez dans quelques "
        "secondes."
    ),
    "landing.mistake.hall.500.do": (
        "Vous n’y êtes pour rien, et les parties continuent aux plateaux. Réessayez ; si cela persiste, "
        "le journal de la salle en dit plus : sur sa machine, journalctl -u gnomon-hall, ou le terminal "
        "où elle tourne."
    ),
    "landing.mistake.hall.503.do": (
        "La salle a plus à faire qu’elle ne peut en ce moment. Réessayez dans quelques secondes."
    ),
    "landing.mistake.database": "La base de données de la salle est injoignable",
    "landing.mistake.database.do": (
        "Rien n’est perdu : les plateaux continuent à jouer et gardent tout jusqu’à son retour. Cette "
        "page réessaie d’elle-même."
    ),
    "landing.mistake.database.sent": (
        "Rien n’est perdu : les plateaux continuent à jouer et gardent tout jusqu’à son retour. Ce que "
        "vous venez d’envoyer n’a peut-être pas été enregistré : vérifiez à son retour, puis "
        "renvoyez-le."
    ),
    "landing.mistake.home": "Accueil",
    "landing.connect.lead": (
        "Il vous faut un Raspberry Pi avec Raspberry Pi OS, les pièces d’un plateau, et une soirée. Chaque étape "
        "finit par quelque chose que l’on voit."
    ),
    "landing.connect.more": "En savoir plus : {name}",
    "landing.connect.guides": "Tous les guides",
    "landing.connect.build": "Câbler",
    "landing.connect.build.do": (
        "Ceci écrit dans le dossier « wiring » où va chaque fil, quoi acheter, et un dessin. C’est pour TAMSK ; "
        "tayu et table sont les autres plateaux."
    ),
    "landing.connect.install": "Installer",
    "landing.connect.install.do": (
        "Sur le Raspberry Pi, dans le dossier de ce programme. Cela dure quelques minutes et peut être refait à "
        "tout moment ; ensuite, redémarrez la machine une fois."
    ),
    "landing.connect.doctor": "Faire vérifier",
    "landing.connect.doctor.do": (
        "Sont vérifiés l’alimentation, les bus, les puces, les droits et l’horloge : une ligne pour chacun, avec "
        "un remède si quelque chose ne va pas. Arrêtez d’abord le service, et ne touchez pas au plateau."
    ),
    "landing.connect.walk": "Parcourir le plateau",
    "landing.connect.walk.do": (
        "Il nomme une place, vous y posez une pièce. Il apprend ainsi comment le plateau est vraiment câblé, et "
        "aucun fil n’est à ressouder. Une demi-heure pour TAMSK."
    ),
    "landing.connect.check": "Vérifier la description, et la garder",
    "landing.connect.check.do": (
        "La première commande montre broches, bus et courants, ou chaque faute avec sa ligne. La seconde donne au "
        "service ce que le parcours a appris."
    ),
    "landing.connect.start": "Démarrer",
    "landing.connect.start.do": (
        "Désormais il démarre avec la machine. L’écran montre un code avec l’adresse de sa page."
    ),
    "landing.connect.page": "Devenir son admin, et jouer",
    "landing.connect.page.do": (
        "Ouvrez la page avec le nom de votre machine. Sous « Se connecter », tapez le code de huit lettres et "
        "chiffres que montre l’écran : vous êtes son admin. Puis commencez une partie."
    ),
    "landing.guide.install": "Installation",
    "landing.guide.walk": "Le parcours du plateau",
    "landing.guide.doctor": "L’examen",
    "landing.guide.board-description": "La description du plateau",
    "landing.guide.timekeeping": "La mesure du temps",
    "landing.guide.single-pole": "Les plateaux à un seul pôle",
    "landing.guide.access": "Qui peut faire quoi",
    "landing.guide.walkthrough": "Un tour, du toucher à la lumière",
    "landing.help": "Aide",
    "landing.help.board": "Le plateau",
    "landing.help.board.senses": (
        "Jouez comme vous le feriez sans lui. Des capteurs voient chaque pièce soulevée et posée ; un coup compte "
        "dès qu’il est complet, sans rien presser."
    ),
    "landing.help.board.wrong": (
        "Quand quelque chose n’est pas permis, l’écran cite la règle et guide la réparation, une pièce à la fois. "
        "La partie attend ; à TAMSK, le sable non."
    ),
    "landing.help.board.asks": (
        "Quand le plateau peut se lire de deux façons, l’arbitre demande. Répondez avec un bouton, ou sur la page."
    ),
    "landing.help.buttons": "Boutons",
    "landing.help.button.own": "Rouge, Noir",
    "landing.help.button.own.does": "Termine son propre tour sans anneau, et répond à une question.",
    "landing.help.button.arbiter": "Arbitre",
    "landing.help.button.arbiter.does": "Suspend la partie, et la reprend.",
    "landing.help.button.not_turned": "Non retourné",
    "landing.help.button.not_turned.does": (
        "Sur les plateaux qui voient un pôle d’un sablier : le dernier posé n’avait pas été retourné."
    ),
    "landing.help.button.table": "Entrer, Suivant, Retour, Précédent",
    "landing.help.button.table.does": "À une table sans capteurs : choisir le coup joué, et l’entrer.",
    "landing.help.lights": "Lumières",
    "landing.help.lights.what": (
        "Sous chaque case de TAMSK se trouve une lumière. Chacun des huit signaux a sa couleur et son rythme, "
        "afin que personne n’ait à distinguer les couleurs. Un arbitre silencieux en montre peu, un entraîneur "
        "tous."
    ),
    "landing.help.lights.colour": "Lumière",
    "landing.help.lights.rhythm": "Rythme",
    "landing.help.lights.meaning": "Sens",
    "landing.light.movable": "Vert",
    "landing.light.movable.rhythm": "une seconde allumé, une seconde éteint",
    "landing.light.movable.means": "ce sablier peut bouger",
    "landing.light.target": "Cyan",
    "landing.light.target.rhythm": "allumé, avec une courte coupure toutes les 2 secondes",
    "landing.light.target.means": "le sablier soulevé peut aller ici",
    "landing.light.full": "Violet",
    "landing.light.full.rhythm": "un long éclair toutes les 4 secondes",
    "landing.light.full.means": "cette case est pleine, et fermée",
    "landing.light.running_out": "Ambre",
    "landing.light.running_out.rhythm": "un bref éclair chaque seconde",
    "landing.light.running_out.means": "il reste moins de 15 secondes à ce sablier",
    "landing.light.last": "Blanc",
    "landing.light.last.rhythm": "fixe et faible",
    "landing.light.last.means": "le dernier coup",
    "landing.light.wrong": "Rouge",
    "landing.light.wrong.rhythm": "rapide, cinq en 2 secondes",
    "landing.light.wrong.means": "quelque chose ne va pas ici ; ou retournez ce sablier",
    "landing.light.put": "Bleu",
    "landing.light.put.rhythm": "deux éclairs toutes les 2 secondes",
    "landing.light.put.means": "posez une pièce ici",
    "landing.light.take": "Jaune",
    "landing.light.take.rhythm": "trois éclairs toutes les 2 secondes",
    "landing.light.take.means": "enlevez cette pièce",
    "landing.help.display": "Écran et sons",
    "landing.help.display.what": (
        "Sa première ligne dit à qui c’est de jouer, ou ce qui ne va pas. En dessous, les sabliers ou les "
        "anneaux, et ce qu’il faut faire. Un ! au bout de la première ligne signifie que le plateau lui-même a "
        "une panne, que les dernières lignes affichent de temps en temps. Sans partie, il montre l’adresse de "
        "cette page sous forme de code."
    ),
    "landing.help.display.sounds": (
        "Les bonnes nouvelles montent, les mauvaises descendent, une question finit haut, et une alarme se répète."
    ),
    "landing.help.rules": "Règles",
    "landing.help.rules.what": "Une décision cite sa règle par son numéro, comme « règle 11 ». Voici ce qu’elle dit.",
    "landing.help.keys": "Clavier",
    "landing.help.keys.what": "Chaque page s’utilise au clavier seul : Tab avance, Entrée choisit.",
    "landing.key.beside": "vers la case voisine",
    "landing.key.lift": "soulever un sablier, ou le poser",
    "landing.key.turn": "retourner le sablier en main",
    "landing.key.let_go": "lâcher",
    "landing.key.pause": "suspendre la partie, ou la reprendre",
    "landing.key.stopwatch": "démarrer ou arrêter le chronomètre",
    "landing.key.close": "fermer sans rien faire",
    "landing.key.step": "un tour en arrière, un tour en avant",
    "landing.key.ends": "le début, la fin",
}
