"""Every code with which the rules refuse a command or options of this game, in words."""

from collections.abc import Mapping
from typing import Final

from railbird_engine import Text

REFUSALS: Final[Mapping[str, Text]] = {
    "already_decided": Text("You have already decided.", "Vous avez déjà décidé."),
    "already_declared": Text(
        "You have already declared that you see no SET.",
        "Vous avez déjà dit que vous ne voyez pas de SET.",
    ),
    "die_is_not_wild": Text(
        "Only a Wild can be given a face.", "Seul un Wild peut représenter un autre dé."
    ),
    "die_makes_no_set": Text(
        "Each die that you place must be part of a SET.",
        "Chaque dé posé doit faire partie d’un SET.",
    ),
    "die_named_twice": Text("You named a die twice.", "Vous avez nommé un dé deux fois."),
    "die_not_in_hand": Text("This die is not in your hand.", "Ce dé n’est pas dans votre main."),
    "game_over": Text("The game is over.", "La partie est terminée."),
    "no_dice_named": Text("Choose at least one die.", "Choisissez au moins un dé."),
    "no_set_with_the_board": Text(
        "These dice make no SET with the dice on the board.",
        "Ces dés ne forment pas de SET avec ceux du tablier.",
    ),
    "not_a_set": Text(
        "This line is not a SET: each feature must be all alike or all different.",
        "Cette ligne n’est pas un SET : chaque caractéristique doit y être partout la même, "
        "ou partout différente.",
    ),
    "not_a_wild": Text("There is no Wild on this square.", "Il n’y a pas de Wild sur cette case."),
    "not_your_turn": Text("It is not your turn.", "Ce n’est pas votre tour."),
    "set_needs_three_dice": Text(
        "A SET needs exactly three dice.", "Un SET demande exactement trois dés."
    ),
    "square_empty": Text("This square is empty.", "Cette case est vide."),
    "square_named_twice": Text(
        "Two dice cannot lie on one square.", "Deux dés ne peuvent pas occuper la même case."
    ),
    "square_off_board": Text(
        "This square is not on the board.", "Cette case n’est pas sur le tablier."
    ),
    "square_taken": Text("This square is taken.", "Cette case est occupée."),
    "too_many_dice": Text(
        "You may place at most three dice.", "Vous pouvez poser trois dés au plus par tour."
    ),
    "wild_already_replaced": Text(
        "You have already replaced a Wild in this turn.",
        "Vous avez déjà remplacé un Wild pendant ce tour.",
    ),
    "wild_needs_a_face": Text(
        "Choose a face for the Wild.", "Choisissez les caractéristiques que le Wild représente."
    ),
    "wrong_features": Text(
        "This die does not show the face of the Wild.",
        "Ce dé n’a pas les caractéristiques annoncées pour le Wild.",
    ),
    "wrong_phase": Text("This is not possible now.", "Ce n’est pas possible maintenant."),
}
