"""Every code with which the rules refuse a command or options of this game, in words."""

from collections.abc import Mapping
from typing import Final

from railbird_engine import Text

REFUSALS: Final[Mapping[str, Text]] = {
    "bet_already_decided": Text(
        "You have already decided on your bet.", "Vous avez déjà décidé de votre pari."
    ),
    "cell_not_adjacent": Text(
        "A tile must touch the land.", "La tuile doit toucher une tuile déjà posée."
    ),
    "cell_taken": Text(
        "There is already a tile here.", "Il y a déjà une tuile ici. Posez la vôtre ailleurs."
    ),
    "chip_not_in_supply": Text("You do not have this chip any more.", "Vous n’avez plus ce jeton."),
    "feature_not_eligible": Text(
        "You cannot choose this feature.", "Cette zone est exclue. Choisissez-en une autre."
    ),
    "feature_occupied": Text(
        "There is already a meeple on this feature.", "Il y a déjà un meeple dans cette zone."
    ),
    "no_chips_to_decide": Text(
        "You have no feature to choose for this betting office.",
        "Vous n’avez pas de zone à choisir pour ce bureau de paris.",
    ),
    "not_in_this_game": Text(
        "This is not part of the game that you play.", "Cette partie se joue sans cette extension."
    ),
    "not_now": Text("This is not possible now.", "Ce n’est pas possible maintenant."),
    "not_your_turn": Text("It is not your turn.", "Ce n’est pas votre tour."),
    "played_without_fields": Text(
        "This game is played without meeples in fields.",
        "Cette partie se joue sans meeples dans les prés.",
    ),
    "sides_do_not_match": Text(
        "The sides of the tile do not fit here.",
        "Les côtés de la tuile ne s’accordent pas ici. Tournez-la, ou posez-la ailleurs.",
    ),
    "unknown_chip": Text("There is no such chip.", "Ce jeton n’existe pas."),
    "unknown_rotation": Text(
        "A tile cannot be turned like this.", "Une tuile ne peut pas être tournée ainsi."
    ),
    "unknown_segment": Text("The tile has no such part.", "La tuile n’a pas cette section."),
}
