"""What may be read, by whom: every query starts here, scoped to who asks."""

from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from accounts.models import Account, Transfer, User
from accounts.problems import Problem
from games.models import Bet, Game, Lobby, Seat


def lobbies_for(user: User) -> QuerySet[Lobby]:
    """The lobbies that a person may see: public ones, and those in which they sit or that they host. Newest first."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    mine = Seat.objects.filter(user=user).values("lobby_id")
    visible = Q(visibility=Lobby.Visibility.PUBLIC) | Q(host=user) | Q(id__in=mine)
    return Lobby.objects.filter(visible).select_related("host", "game__head").prefetch_related(seats).order_by("-id")


def lobby_for(user: User, lobby_id: UUID) -> Lobby:
    """Raises Problem `not_found`."""
    lobby = lobbies_for(user).filter(id=lobby_id).first()
    if lobby is None:
        raise Problem("not_found", what="lobby")
    return lobby


def games_for(user: User) -> QuerySet[Game]:
    """The games that a person may watch: of public lobbies, and those in which they play. Newest first."""
    mine = Seat.objects.filter(user=user).values("lobby_id")
    visible = Q(lobby__visibility=Lobby.Visibility.PUBLIC) | Q(lobby_id__in=mine)
    seats = Prefetch("lobby__seats", Seat.objects.select_related("user").order_by("number"))
    return Game.objects.filter(visible).select_related("head", "lobby").prefetch_related(seats).order_by("-id")


def game_for(user: User, game_id: UUID) -> Game:
    """Raises Problem `not_found`."""
    game = games_for(user).filter(id=game_id).first()
    if game is None:
        raise Problem("not_found", what="game")
    return game


def bets_of(user: User) -> QuerySet[Bet]:
    """A person's own bets, newest first."""
    return _bets(Bet.objects.filter(user=user)).order_by("-at", "-game_id", "-number")


def bets_in(game: Game) -> QuerySet[Bet]:
    """The bets of a game that the caller may see, in the order in which they were placed."""
    return _bets(Bet.objects.filter(game=game)).order_by("number")


def _bets(bets: QuerySet[Bet]) -> QuerySet[Bet]:
    return bets.select_related("game").prefetch_related("settlements")


def accounts_of(user: User) -> QuerySet[Account]:
    """A person's own accounts."""
    return Account.objects.filter(owner=user).order_by("id")


def transfers_of(user: User) -> QuerySet[Transfer]:
    """The transfers to and from a person's own accounts, newest first."""
    own = Account.objects.filter(owner=user).values("id")
    return _transfers(Transfer.objects.filter(Q(debit__in=own) | Q(credit__in=own))).order_by("-id")


def transfers_in(game: Game) -> QuerySet[Transfer]:
    """The transfers between the purses of a game that the caller may see, in order of version and position."""
    return _transfers(Transfer.objects.filter(cause=game.id, number__gt=0)).order_by("number", "position")


def _transfers(transfers: QuerySet[Transfer]) -> QuerySet[Transfer]:
    return transfers.select_related("debit", "credit")
