"""Every code with which the rules refuse a command or options of this game, in words."""

from collections.abc import Mapping
from typing import Final

from railbird_engine import Text

REFUSALS: Final[Mapping[str, Text]] = {
    "dice_are_yours": Text(
        "The server does not roll for you.", "Le serveur ne lance pas les dés pour vous."
    ),
    "already_chosen": Text("You have already chosen.", "Vous avez déjà choisi."),
    "already_ready": Text("You are ready already.", "Vous êtes déjà prêt."),
    "announcer_bets_before_the_race": Text(
        "The announcer bets before the race only.", "Le speaker ne parie qu’avant la course."
    ),
    "announcer_cannot_bet": Text(
        "The announcer does not bet in this game.", "Le speaker ne parie pas dans cette partie."
    ),
    "betting_closed": Text(
        "Bets are closed: three horses have crossed the red line.",
        "Les paris sont clos : trois chevaux ont franchi la ligne rouge.",
    ),
    "card_not_face_up": Text(
        "This card is not face up.", "Cette carte n’est pas face visible. Choisissez-en une autre."
    ),
    "column_closed": Text(
        "This column is closed in a game with so few players.",
        "Cette colonne est fermée quand les joueurs sont si peu nombreux. Pariez dans une autre.",
    ),
    "dice_not_ready": Text("The dice are not ready yet.", "Les dés ne sont pas encore prêts."),
    "game_over": Text("The game is over.", "La partie est terminée."),
    "no_draft": Text(
        "There is no card to choose now.", "Il n’y a pas de carte à choisir maintenant."
    ),
    "no_offer": Text("Nobody asks you to announce.", "Personne ne vous propose d’être speaker."),
    "no_pause": Text("There is no pause now.", "Il n’y a pas de pause maintenant."),
    "no_such_announcer": Text(
        "No player can announce from this seat.", "Aucun joueur ne peut être speaker à cette place."
    ),
    "no_such_bonus_token": Text(
        "You do not have this bonus token.", "Vous n’avez pas ce jeton bonus."
    ),
    "no_such_token": Text(
        "You do not have this token in hand.", "Vous n’avez pas ce jeton en main."
    ),
    "no_tokens_left": Text(
        "You have no tokens left in this race.", "Il ne vous reste plus de jeton pour cette course."
    ),
    "not_in_your_hand": Text(
        "This card is not in your hand.", "Cette carte n’est pas dans votre main."
    ),
    "not_the_announcer": Text("Only the announcer may do this.", "Seul le speaker peut le faire."),
    "not_your_offer": Text(
        "Another player is asked to announce.", "C’est à un autre joueur que la question est posée."
    ),
    "one_token_per_exotic": Text(
        "You already have a token on this card: only one each.",
        "Vous avez déjà un jeton sur cette carte : un seul par joueur.",
    ),
    "race_has_started": Text("The race has started.", "La course a déjà commencé."),
    "race_not_running": Text(
        "You can bet only while a race runs.",
        "Vous ne pouvez parier que pendant une course.",
    ),
    "server_rolls": Text(
        "The server rolls the dice in this game.",
        "Dans cette partie, c’est le serveur qui lance les dés.",
    ),
    "spot_taken": Text(
        "This spot is already taken.",
        "Cette case est déjà prise. Choisissez-en une autre.",
    ),
    "tokens_left": Text(
        "Place or skip your remaining tokens first.",
        "Placez d’abord vos autres jetons, ou gardez-les.",
    ),
    "unknown_spot": Text("There is no such spot.", "Cette case n’existe pas."),
}
