"""The texts of the sign-in and consent pages in English and French."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

ENGLISH: Final[Mapping[str, str]] = {
    "language": "en",
    "sign_in": "Sign in",
    "username": "Username",
    "password": "Password",
    "wrong": "There is nobody with this username and password.",
    "factor": "Code of your authenticator app, if you use one",
    "needs_factor": "Enter a new code of your authenticator app, or a recovery code.",
    "with": "Sign in with",
    "with_failed": "The sign-in with {provider} failed.",
    "again": "Try again",
    "not_now": "Not now",
    "too_much": "There were too many attempts from here, or for this account. Try again in",
    "seconds": "s.",
    "broken": "This does not work",
    "nothing_allowed": "The app that sent you here made an invalid request. Nothing was allowed.",
    "may": "May “{name}” do this for you?",
    "by": "This program is not part of the server. It is from:",
    "unknown": "unknown",
    "safe": "It does not learn your password, and you can withdraw your permission at any time.",
    "goes_to": "Your answer goes to",
    "allow": "Allow",
    "refuse": "Refuse",
    "you_are": "You are signed in as",
    "somebody_else": "Sign in as somebody else",
    "scope_read": "See your lobbies and games, your bets and your money",
    "scope_play": "Play and bet in your seats",
    "scope_lobby": "Open, join and leave lobbies for you, and pay their buy-ins",
    "scope_notices": "Be told of your turns, of what starts and ends, of your ranks and payouts",
    "scope_audit": "Read the histories of all games",
}
FRENCH: Final[Mapping[str, str]] = {
    "language": "fr",
    "sign_in": "Se connecter",
    "username": "Identifiant",
    "password": "Mot de passe",
    "wrong": "L’identifiant ou le mot de passe est incorrect.",
    "factor": "Code de votre application d’authentification, le cas échéant",
    "needs_factor": "Saisissez un nouveau code de votre application d’authentification, ou un code "
    "de secours.",
    "with": "Se connecter avec",
    "with_failed": "La connexion avec {provider} a échoué.",
    "again": "Réessayer",
    "not_now": "Pas maintenant",
    "too_much": "Il y a eu trop de tentatives depuis cette adresse, ou pour ce compte. Réessayez "
    "dans",
    "seconds": "s.",
    "broken": "Une erreur est survenue",
    "nothing_allowed": "La demande de l’application qui vous envoie n’est pas valable. "
    "Rien n’a été autorisé.",
    "may": "Autoriser «\N{NO-BREAK SPACE}{name}\N{NO-BREAK SPACE}» à agir pour vous"
    "\N{NARROW NO-BREAK SPACE}?",
    "by": "Ce programme ne fait pas partie du serveur. Son auteur\N{NO-BREAK SPACE}:",
    "unknown": "inconnu",
    "safe": "Il ne voit pas votre mot de passe, et vous pouvez retirer cette autorisation à tout "
    "moment.",
    "goes_to": "Votre réponse est envoyée à",
    "allow": "Autoriser",
    "refuse": "Refuser",
    "you_are": "Votre compte\N{NO-BREAK SPACE}:",
    "somebody_else": "Changer d’utilisateur",
    "scope_read": "Voir vos tables et vos parties, vos paris et votre argent",
    "scope_play": "Jouer et parier à vos places",
    "scope_lobby": "Ouvrir, rejoindre et quitter des tables pour vous, et payer les mises d’entrée",
    "scope_notices": "Être averti de vos tours, de ce qui commence et se termine, de vos rangs et "
    "de vos gains",
    "scope_audit": "Lire l’historique de toutes les parties",
}


def words_for(request: HttpRequest) -> Mapping[str, str]:
    """Return the texts in the language that the browser prefers."""
    wanted = parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())
    known = (tag[:2] for tag, _ in wanted if tag[:2] in {"en", "fr"})
    return FRENCH if next(known, "en") == "fr" else ENGLISH


def context(request: HttpRequest) -> dict[str, Any]:
    """Give the texts to templates as `words`."""
    return {"words": words_for(request)}
