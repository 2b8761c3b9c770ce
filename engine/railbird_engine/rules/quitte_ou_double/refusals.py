"""Every code with which the rules refuse a command or options of this game, in words."""

from collections.abc import Mapping
from typing import Final

from railbird_engine import Text

REFUSALS: Final[Mapping[str, Text]] = {
    "captain_locks_without_hourglass": Text(
        "Without an hourglass, every player must be able to lock.",
        "Sans sablier, chaque joueur doit pouvoir valider.",
    ),
    "game_over": Text("The game is over.", "La partie est terminée."),
    "no_such_level": Text("There is no such level.", "Ce niveau n’existe pas."),
    "no_such_seat": Text("There is no such seat.", "Cette place n’existe pas."),
    "no_such_token": Text("There is no such bet token.", "Ce jeton de mise n’existe pas."),
    "no_such_zone": Text("There is no such gap between the tiles.", "Cette zone n’existe pas."),
    "not_a_number": Text(
        "Write a plain number, such as 1969 or 3.5.", "Écrivez un nombre simple, comme 1969 ou 3,5."
    ),
    "not_in_the_tiebreak": Text(
        "Your team does not play the tie-break.",
        "Votre équipe ne joue pas la question de départage.",
    ),
    "not_the_captain": Text(
        "Only the captain of the team may lock.", "Seul le capitaine de l’équipe peut valider."
    ),
    "not_the_presenter": Text(
        "Only the presenter may do this.", "Seul le présentateur peut le faire."
    ),
    "nothing_written": Text(
        "Your team has not written an answer.", "Votre équipe n’a pas encore écrit de réponse."
    ),
    "presenter_is_banker": Text(
        "The presenter and the banker must be two players.",
        "Le présentateur et le banquier doivent être deux joueurs différents.",
    ),
    "stake_not_owned": Text(
        "Your team does not have so many gain tokens.",
        "Votre équipe n’a pas autant de jetons de gain.",
    ),
    "stakes_not_allowed": Text(
        "Gain tokens cannot be staked in this round.",
        "On ne peut pas miser de jetons de gain pendant cette manche.",
    ),
    "team_left_out": Text(
        "Team numbers must be consecutive.", "Les numéros d’équipe doivent se suivre."
    ),
    "team_locked": Text("Your team has locked.", "Votre équipe a déjà validé."),
    "teams_do_not_fit_seats": Text(
        "Each seat needs a team.", "Chaque place doit avoir une équipe."
    ),
    "teams_not_balanced": Text(
        "The teams must be as equal as possible.",
        "Les équipes doivent être aussi équilibrées que possible.",
    ),
    "token_not_placed": Text(
        "Place both bet tokens first.", "Placez d’abord les deux jetons de mise."
    ),
    "too_many_changes": Text(
        "Your team has changed its mind too often for this question.",
        "Votre équipe a trop souvent changé d’avis pour cette question.",
    ),
    "unknown_bank": Text(
        "There is no such collection of questions.", "Cette collection de questions n’existe pas."
    ),
    "wrong_number_of_teams": Text(
        "This number of teams is not possible.", "Ce nombre d’équipes n’est pas possible."
    ),
    "wrong_phase": Text("This is not possible now.", "Ce n’est pas possible maintenant."),
}
