"""French words for faults of the machine.

The English entries of this area are the patterns with which `gnomon.views.retelling` recognizes recorded sentences.
"""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "health.display": "L’écran ne répond pas : {detail}",
    "health.display.plain": "L’écran ne répond pas.",
    "health.lights": "Les lumières ne répondent pas : {detail}",
    "health.lights.plain": "Les lumières ne répondent pas.",
    "health.sensors": "Les capteurs ne répondent pas : {detail}",
    "health.sensors.zeros": (
        "Les capteurs ne lisent que des zéros : vérifiez l’alimentation, les données et l’horloge de la chaîne."
    ),
    "health.sensors.ones": (
        "Les capteurs ne lisent que des uns : vérifiez l’alimentation, les données et l’horloge de la chaîne."
    ),
    "health.sensors.zeros.broken": (
        "Les capteurs ne lisent que des zéros à partir du registre {register} : un fil est rompu là ou au-delà."
    ),
    "health.sensors.ones.broken": (
        "Les capteurs ne lisent que des uns à partir du registre {register} : un fil est rompu là ou au-delà."
    ),
    "health.sensors.step.early": (
        "Les capteurs sont en avance de {bits} bits : raccourcissez les fils ou baissez clock_hz."
    ),
    "health.sensors.step.late": (
        "Les capteurs sont en retard de {bits} bits : raccourcissez les fils ou baissez clock_hz."
    ),
    "health.sensors.canary": "Le dernier registre des capteurs lit {read} au lieu de {canary} : vérifiez ses fils.",
    "health.light": "Trop de lumière tombe sur {input} : mettez le plateau à l’ombre.",
    "health.light.more": "Trop de lumière tombe sur {input} et {number} autres : mettez le plateau à l’ombre.",
    "health.button.unheard": "{input} sur GPIO {pin} n’est pas entendu : {detail}",
    "health.button.lost": "Un front de {input} a été perdu : {detail}.",
    "health.buzzer": "Le buzzer sur GPIO {pin} ne répond pas : {detail}",
    "health.buzzer.level": (
        "Le buzzer reste muet et GPIO {pin} intact : indiquez dans [buzzer] quel niveau l’active (on = high ou low)."
    ),
    "health.expander.pins": "Les broches des extensions ne répondent pas : {detail}",
    "health.expander.silent": (
        "L’extension {address} sur le bus I2C {bus} ne répond pas : vérifiez son alimentation, son adresse et ses fils."
    ),
    "health.expander.silent.one": (
        "L’extension {address} sur le bus I2C {bus} ne répond pas : vérifiez son alimentation, son adresse et ses "
        "fils. On ne voit plus rien de {input}."
    ),
    "health.expander.silent.many": (
        "L’extension {address} sur le bus I2C {bus} ne répond pas : vérifiez son alimentation, son adresse et ses "
        "fils. On ne voit plus rien de {input} et {number} autres."
    ),
    "health.expander.none": (
        "Aucune des {number} extensions du bus I2C {bus} ne répond : vérifiez leur alimentation, SDA et SCL."
    ),
    "health.expander.settings": (
        "L’extension {address} sur le bus I2C {bus} a perdu un instant ses réglages : vérifiez son alimentation."
    ),
    "health.bus": "Le bus I2C {bus} est bloqué : cherchez un court-circuit de SDA ou SCL.",
    "health.reader.opened": "Le lecteur {device} ne peut pas être ouvert : {detail}.",
    "health.reader.pulled": "Le lecteur {device} a été débranché.",
    "health.reader.lost": "Le lecteur {device} est perdu : {detail}.",
    "health.reader.tags": "Le lecteur d’étiquettes à {address} ne répond pas : {detail}.",
    "health.code.unknown": "Le code {code} n’est sur aucune tuile : donnez-lui une sorte dans [reader.codes].",
    "health.code.nothing": "Le code {code} a été lu pour rien : {told}.",
    "health.busy": "Surcharge : {late} lectures sur {scans} sont arrivées en retard.",
    "health.date": "La date est fausse ; le temps de la partie n’en dépend pas.",
    "health.scanning": "Le plateau n’est plus lu.",
    "health.buttons": "Les boutons ne sont plus entendus.",
    "health.journal": "Rien ne peut être accepté : {told}.",
    "health.damage.before": (
        "Le journal {file} est endommagé : {told} ; ce qui précède est repris, et le fichier endommagé est "
        "conservé sous le nom {aside}."
    ),
    "health.damage.whole": (
        "Le journal {file} est endommagé : {told} ; rien n’est perdu, et le fichier endommagé est conservé sous le "
        "nom {aside}."
    ),
    "health.damage.new": (
        "Le journal {file} est endommagé : {told} ; un nouveau est commencé, et le fichier endommagé est conservé "
        "sous le nom {aside}."
    ),
    "health.damage.gone": "Le journal {file} est endommagé : {told} ; un nouveau est commencé.",
    "health.journal.deleted": (
        "Le journal {file} a été supprimé pendant le fonctionnement : tout se trouve à sa place dans un nouveau "
        "fichier."
    ),
    "health.journal.replaced": (
        "Le journal {file} a été remplacé pendant le fonctionnement : tout se trouve à sa place dans un nouveau "
        "fichier, et ce qui s’y trouvait est conservé sous le nom {aside}."
    ),
    "health.witness": "Le témoin du journal : {detail}.",
    "health.recovery": "Ces règles jugent l’entrée {entry} du journal autrement qu’à l’époque.",
    "health.recovery.back": "La partie {game} du journal ne peut pas être rétablie : {detail}.",
    "health.recovery.on": "La partie {game} du journal ne peut pas être continuée : {detail}.",
    "health.hall": "Pas de nouvelles de la salle depuis {spell} : continuez à jouer. {number} entrées attendent.",
    "health.hall.fault": "Rien ne peut être dit à la salle : {detail}.",
    "health.hall.more": "La salle a {there} entrées du journal, qui n’en contient que {number}.",
    "health.hall.notice": "De la salle : {detail}",
    "health.result.own": "Confirmez le résultat, chacun avec son bouton : {players}.",
    "health.result.shared": "Confirmez le résultat, avec PREVIOUS et avec NEXT : {players}.",
    "health.result.confirmed": "Le résultat est confirmé au plateau.",
}
