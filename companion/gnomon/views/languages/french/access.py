"""French words for accounts, roles and sign-in."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "access.role.spectator": "Spectateur",
    "access.role.player": "Joueur",
    "access.role.arbiter": "Arbitre",
    "access.role.director": "Directeur de tournoi",
    "access.role.admin": "Administrateur",
    "access.role.player.may": "commence des parties et saisit des coups",
    "access.role.arbiter.may": "corrige, interrompt et tranche aussi",
    "access.role.director.may": "dirige aussi les tournois : inscriptions, appariements, résultats corrigés",
    "access.role.admin.may": "dit aussi qui peut faire quoi",
    "access.name.empty": "Écrivez un nom.",
    "access.name.long": "Un nom a 40 lettres au plus.",
    "access.name.signs": (
        "Ce nom contient un caractère qui ne peut pas être affiché : utilisez des lettres, des chiffres et des espaces."
    ),
    "access.name.mixed": "Ce nom mêle des alphabets dont les lettres se ressemblent : n’en utilisez qu’un.",
    "access.name.letters": "Il faut au moins une lettre ou un chiffre.",
    "access.name.taken": "Quelqu’un porte déjà ce nom ici : choisissez-en un autre.",
    "access.secret.long": "C’est trop long : 128 signes au plus.",
    "access.secret.short": "C’est trop court : au moins 6 chiffres ou 8 signes.",
    "access.secret.signs": "Ce texte contient un caractère impossible à taper : choisissez autre chose.",
    "access.secret.simple": "C’est trop facile à deviner : évitez les suites et les répétitions.",
    "access.secret.different": "Les deux saisies diffèrent : recommencez.",
    "access.secret.wrong": "Ce n’est pas le code PIN ou le mot de passe actuel.",
    "access.wrong": "Le nom et le code PIN ne correspondent pas.",
    "access.code.wrong": "Ce code n’est pas valable, ou ne l’est plus : prenez le dernier, ou demandez-en un autre.",
    "access.wait": "Trop d’essais : attendez {seconds} secondes.",
    "access.busy": "Trop de personnes se connectent en ce moment : réessayez.",
    "access.device.role": "Un appareil sans code PIN ne peut être que joueur : donnez-lui d’abord un code PIN.",
    "access.last_admin": "Il faut un administrateur : désignez-en d’abord un autre.",
    "access.token.days": "Choisissez la durée du jeton.",
    "access.role.unknown": "Choisissez un rôle.",
    "access.gone": "Cette personne n’est plus là.",
    "access.sign_in": "Se connecter",
    "access.sign_out": "Se déconnecter",
    "access.name": "Nom",
    "access.secret": "Code PIN ou mot de passe",
    "access.secret.again": "Encore une fois",
    "access.secret.now": "Code PIN ou mot de passe actuel",
    "access.secret.new": "Nouveau code PIN ou mot de passe",
    "access.secret.hint": "Au moins 6 chiffres ou 8 signes.",
    "access.why": (
        "Pour regarder, aucun nom n’est nécessaire. Connectez-vous pour jouer depuis cet appareil, arbitrer "
        "ou administrer le plateau."
    ),
    "access.plain": (
        "Cette connexion n’est pas chiffrée : toute personne qui écoute ce réseau peut lire ce que vous tapez. "
        "Choisissez un code PIN qui ne sert nulle part ailleurs."
    ),
    "access.signed_in": "Vous êtes connecté sous le nom {name}.",
    "access.open": "Devant ce plateau, même sans se connecter, chacun peut ce que peut ce rôle : {role}.",
    "access.change": "Changer de code PIN",
    "access.changed": "Votre code PIN a été modifié. Vous avez été déconnecté partout ailleurs.",
    "access.people": "Personnes et appareils",
    "access.pair": "Associer cet appareil",
    "access.pair.first": "Ce plateau n’a pas encore d’administrateur",
    "access.pair.first.why": (
        "La première personne qui tape le code affiché par le plateau en devient l’administrateur et peut en "
        "admettre d’autres."
    ),
    "access.pair.why": (
        "Toute personne présente au plateau peut jouer depuis un téléphone : faites afficher un code par le "
        "plateau et tapez-le ici. L’administrateur donne les codes des autres rôles."
    ),
    "access.pair.show": "Afficher un code sur le plateau",
    "access.pair.simulated.why": (
        "Un code permet aussi de jouer depuis un téléphone : il s’affiche dans le terminal où tourne "
        "gnomond et se saisit ici. Les codes pour les autres rôles sont fournis par un administrateur."
    ),
    "access.pair.simulated.first.why": (
        "La première personne qui saisit le code affiché dans le terminal où tourne gnomond devient "
        "administrateur et peut ensuite autoriser d’autres personnes."
    ),
    "access.pair.simulated.shown": ("Le code est dans le terminal où tourne gnomond. Il est valable dix minutes."),
    "access.pair.shown": (
        "Le plateau affiche un code pendant dix minutes. Sans écran, il se trouve dans le terminal du service."
    ),
    "access.code": "Code",
    "access.code.hint": "8 lettres et chiffres ; majuscules et tiret sont sans importance.",
    "access.pair.name": "Votre nom, ou celui de l’appareil",
    "access.pair.secret": "Code PIN ou mot de passe (inutile pour le téléphone d’un joueur)",
    "access.pair.go": "Associer",
    "access.people.title": "Qui peut faire quoi",
    "access.people.none": "Personne encore.",
    "access.people.role": "Rôle",
    "access.people.seen": "Vu pour la dernière fois",
    "access.people.never": "jamais",
    "access.people.device": "Appareil, sans code PIN",
    "access.people.you": "vous",
    "access.people.save": "Enregistrer",
    "access.people.more": "Modifier",
    "access.people.remove.sure": "Supprimer {name} pour de bon",
    "access.people.remove.why": "{name} est déconnecté partout, et ses jetons prennent fin.",
    "access.people.new_secret.why": "{name} est déconnecté partout et utilise désormais le nouveau.",
    "access.people.add": "Ajouter une personne",
    "access.people.invite": "Inviter par un code",
    "access.people.invite.why": (
        "Le code n’est valable qu’une fois, pendant dix minutes. La personne qui le tape en se connectant choisit "
        "son nom et son code PIN."
    ),
    "access.people.invite.go": "Créer un code",
    "access.people.invite.made": "Code pour le rôle {role}, valable une fois, pendant dix minutes :",
    "access.sessions": "Connectés en ce moment",
    "access.sessions.this": "ce navigateur",
    "access.sessions.since": "Depuis",
    "access.sessions.end": "Déconnecter",
    "access.sessions.end.of": "Déconnecter {name} de {browser}",
    "access.browser.unknown": "Un navigateur",
    "access.tokens": "Jetons pour programmes",
    "access.tokens.why": (
        "Un programme envoie son jeton avec chaque requête (Authorization: Bearer …) et peut ce que peut son rôle."
    ),
    "access.tokens.none": "Aucun programme n’a de jeton.",
    "access.tokens.label": "À quoi il sert",
    "access.tokens.days": "Valable",
    "access.tokens.day.one": "1 jour",
    "access.tokens.day.other": "{days} jours",
    "access.tokens.make": "Créer un jeton",
    "access.tokens.made": "Le jeton pour {label}. Copiez-le maintenant : il ne sera plus affiché.",
    "access.tokens.until": "Valable jusqu’au",
    "access.tokens.used": "Dernier usage",
    "access.tokens.owner": "Créé par",
    "access.tokens.revoke": "Révoquer",
    "access.tokens.revoke.of": "Révoquer {label}",
}
