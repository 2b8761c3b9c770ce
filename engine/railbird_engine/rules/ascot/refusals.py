"""Every code with which the rules refuse a command or options of this game, in words."""

from collections.abc import Mapping
from typing import Final

from railbird_engine import Text

REFUSALS: Final[Mapping[str, Text]] = {
    "already_answered": Text("You have already answered.", "Vous avez déjà répondu."),
    "already_confirmed": Text(
        "You have already confirmed the arrival.", "Vous avez déjà confirmé l’arrivée."
    ),
    "already_discarded": Text("You have already discarded.", "Vous avez déjà défaussé."),
    "already_highest": Text(
        "Yours is already the highest bid.", "Vous avez déjà la plus forte enchère."
    ),
    "already_ready": Text("You are already ready.", "Vous avez déjà fini de négocier."),
    "already_voted": Text("You have already voted.", "Vous avez déjà voté."),
    "another_lot": Text("This asset is no longer on sale.", "Ce lot n’est plus en vente."),
    "auctioneer_stays": Text(
        "The Auctioneer’s card stays with its holder.",
        "Gardez la carte du commissaire-priseur : choisissez-en une autre.",
    ),
    "bid_beyond_means": Text(
        "You cannot afford this bid: the cards that you keep must be paid too.",
        "Cette enchère dépasse vos moyens : il faut aussi payer les cartes que vous gardez.",
    ),
    "bid_too_low": Text(
        "This bid is too low.", "Cette enchère est trop basse. Offrez davantage ou retirez-vous."
    ),
    "both_stables": Text(
        "Nobody may hold both stables.",
        "Personne ne peut posséder les deux écuries : une seule par joueur.",
    ),
    "choice_not_open": Text(
        "You do not have this choice here.", "Ce choix n’est pas possible ici. Faites-en un autre."
    ),
    "club_not_open": Text(
        "You cannot join the Club now.",
        "On n’entre au Club qu’en s’arrêtant sur une case « Inscription au Club ».",
    ),
    "favourite_named": Text(
        "You have already named your Favourite, or have no choice.",
        "Vous avez déjà désigné votre favori, ou vous n’avez pas le choix.",
    ),
    "forced_sale_first": Text(
        "A forced sale comes first.", "Une vente forcée doit d’abord avoir lieu."
    ),
    "game_over": Text("The game is over.", "La partie est terminée."),
    "illegal_end_square": Text(
        "The horse cannot run there.", "Le cheval ne peut pas aller là. Choisissez une autre case."
    ),
    "insufficient_funds": Text("You do not have enough money.", "Vous n’avez pas assez d’argent."),
    "lot_open": Text("Something is already on sale.", "Une vente est déjà en cours."),
    "named_twice": Text(
        "Something is named twice.", "Ce marché contient deux fois la même chose. Retirez-en une."
    ),
    "no_bookmaker": Text(
        "There is no Bookmaker in this game.", "Cette partie n’a pas de bookmaker."
    ),
    "no_colour_to_choose": Text(
        "There is no colour to use now.", "Il n’y a pas de couleur à utiliser maintenant."
    ),
    "no_debt": Text("Nobody has to sell anything.", "Personne n’a de dette à régler."),
    "no_gain": Text("The payout must be higher than the stake.", "Le gain doit dépasser la mise."),
    "no_hazard": Text("No horse is in danger now.", "Aucun cheval n’est en danger maintenant."),
    "no_horse_for_report": Text(
        "None of your horses can use a report of this pack.",
        "Aucun de vos chevaux ne peut recevoir un rapport de ce paquet.",
    ),
    "no_objections_awaited": Text("No objections are awaited.", "Aucune objection n’est attendue."),
    "no_place_bets": Text("This game has no place bets.", "Cette partie n’a pas de paris placés."),
    "no_report_to_apply": Text(
        "There is no report to apply.", "Il n’y a pas de rapport à appliquer."
    ),
    "no_such_offer": Text("This offer is no longer open.", "Cette offre n’existe plus."),
    "no_such_report": Text("You do not have this report.", "Vous n’avez pas ce rapport."),
    "no_such_seat": Text("There is no such seat.", "Cette place n’existe pas."),
    "no_trading_now": Text("Deals are not possible now.", "On ne peut pas négocier maintenant."),
    "not_a_member": Text(
        "Only members of the Club may do this.", "Seuls les membres du Club peuvent le faire."
    ),
    "not_a_runner": Text("This horse does not run.", "Ce cheval ne court pas."),
    "not_arrived": Text("This horse has not arrived.", "Ce cheval n’est pas arrivé."),
    "not_before_throw": Text(
        "This is possible only before your throw.", "Cela n’est possible qu’avant votre lancer."
    ),
    "not_bidding": Text("You have left the bidding.", "Vous ne participez plus à l’enchère."),
    "not_called": Text(
        "Another runner is called.", "Pour le moment, les paris portent sur un autre partant."
    ),
    "not_for_sale": Text("This is not for sale.", "Ceci n’est pas à vendre."),
    "not_for_this_horse": Text(
        "This report is not for that horse.", "Ce rapport ne concerne pas ce cheval."
    ),
    "not_in_hand": Text("This card is not in your hand.", "Cette carte n’est pas dans votre main."),
    "not_in_notes": Text(
        "Sums must be multiples of 500 F.", "Les sommes doivent être des multiples de 500 F."
    ),
    "not_next_in_order": Text(
        "It is the turn of another of your horses.",
        "Jouez votre favori, ou votre prochain cheval dans l’ordre des numéros.",
    ),
    "not_now": Text("This is not possible now.", "Ce n’est pas possible maintenant."),
    "not_owned": Text(
        "The owner no longer has this.", "Ce bien n’appartient plus à qui devait le céder."
    ),
    "not_the_debtor": Text("Another player must sell.", "C’est un autre joueur qui doit vendre."),
    "not_tradeable": Text("This cannot be traded.", "Ceci ne se négocie pas en ce moment."),
    "not_your_horses": Text(
        "Choose among your own horses.", "Choisissez parmi vos propres chevaux."
    ),
    "not_your_offer": Text("This is not your offer.", "Cette offre n’est pas la vôtre."),
    "not_your_runner": Text("This runner is not yours.", "Ce partant n’est pas à vous."),
    "not_your_turn": Text("It is not your turn.", "Ce n’est pas votre tour."),
    "nothing_on_sale": Text("Nothing is on sale.", "Rien n’est en vente."),
    "nothing_to_assign": Text(
        "There is no throw to assign.", "Il n’y a pas de lancer à attribuer."
    ),
    "nothing_to_move": Text("No horse is waiting to move.", "Aucun cheval n’attend de bouger."),
    "nothing_to_trade": Text(
        "A deal needs something to give or to take.", "Un marché doit porter sur quelque chose."
    ),
    "objection_unfounded": Text(
        "This horse arrived without Disadvantages.", "Ce cheval est arrivé sans Désavantage."
    ),
    "offer_not_covered": Text(
        "The other side cannot keep this deal.", "L’autre partie ne peut pas honorer ce marché."
    ),
    "offer_not_for_you": Text(
        "This offer is for another player.", "Cette offre s’adresse à un autre joueur."
    ),
    "offer_to_oneself": Text(
        "You cannot make yourself an offer.", "Vous ne pouvez pas vous faire une offre."
    ),
    "one_report_a_turn": Text("Only one report a turn.", "Un seul rapport par tour."),
    "own_horse": Text(
        "You cannot object to your own horse.",
        "Vous ne pouvez pas soulever d’objection contre votre cheval.",
    ),
    "own_offer": Text(
        "You cannot answer your own offer.", "Vous ne pouvez pas répondre à votre propre offre."
    ),
    "pack_empty": Text(
        "This pack is empty.", "Ce paquet de rapports est vide. Choisissez-en un autre."
    ),
    "pays_and_asks": Text(
        "A deal either pays money or asks for it.",
        "Un marché verse de l’argent ou en demande, pas les deux.",
    ),
    "race_awaits_objections": Text(
        "The race waits for objections.",
        "Chacun doit d’abord confirmer l’arrivée ou soulever une objection.",
    ),
    "not_ready_yet": Text("You have not ended your trading.", "Vous négociez encore."),
    "too_few_runners": Text(
        "You must run more horses.",
        "Vous devez engager davantage de chevaux.",
    ),
    "too_many_changes": Text(
        "You have no offers or changes left in this phase.",
        "Vous avez épuisé vos offres et changements d’avis de cette phase.",
    ),
    "too_many_offers": Text(
        "You have too many open offers.",
        "Vous avez trop d’offres en cours. Attendez une réponse à l’une d’elles.",
    ),
    "too_many_runners": Text(
        "You may not run so many horses.",
        "Vous ne pouvez pas engager autant de chevaux. Choisissez-en moins.",
    ),
}
