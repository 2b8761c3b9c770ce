"""Forms of operator actions: each has a reason, and carries its action out."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.validators import RegexValidator
from django.http import HttpRequest

from accounts.models import User
from accounts.oauth.proved import is_recent, prove
from games.operators import actions
from kit.problems import Problem
from kit.validation import ONE_LINE

LINE = RegexValidator(ONE_LINE)


class Reasoned(forms.Form):
    """The reason for an action, and the second factor unless the session has just proved it."""

    field_order = ("action", "bet", "user", "title", "until")

    reason = forms.CharField(
        min_length=actions.REASON_MIN,
        max_length=actions.REASON_MAX,
        validators=[LINE],
        widget=forms.TextInput(attrs={"size": 70, "style": "max-width: 60vw"}),
    )
    code = forms.CharField(
        max_length=16, help_text="Of your second factor, which you proved a while ago."
    )

    def __init__(self, request: HttpRequest, **given: Any) -> None:
        super().__init__(request.POST or None, **given)
        self._request = request
        if is_recent(request):
            del self.fields["code"]

    def carried_out(self, act: Callable[[dict[str, Any]], object], done: str) -> bool:
        """Carry the action out if the form was sent and is valid; show why it was refused."""
        if self._request.method != "POST" or not self.is_valid():
            return False
        try:
            if "code" in self.fields:
                prove(self._request, self.cleaned_data["code"])
            act(self.cleaned_data)
        except Problem as problem:
            self.add_error(None, f"Refused: {problem.code}")
            return False
        messages.success(self._request, done)
        return True

    def _only_with(self, field: str, *names: str) -> None:
        """Require a field for these actions, and only then."""
        if (self.cleaned_data.get("action") in names) != bool(self.cleaned_data.get(field)):
            self.add_error(field, f"Fill this in for these actions only: {', '.join(names)}.")


class Intervention(Reasoned):
    """The form of actions on a game."""

    action = forms.ChoiceField(
        choices=(
            ("annotate", "Add a note"),
            ("void_bet", "Void one bet"),
            ("void_game", "Void the game"),
        )
    )
    bet = forms.IntegerField(
        min_value=1, required=False, help_text="The number of the bet to void."
    )

    def clean(self) -> dict[str, Any]:
        """Require a bet number for `void_bet`, and only then."""
        super().clean()
        self._only_with("bet", "void_bet")
        return self.cleaned_data


class LobbyAct(Reasoned):
    """The form of actions on a lobby."""

    action = forms.ChoiceField(
        choices=(
            ("mute", "Mute a user"),
            ("unmute", "Unmute a user"),
            ("retitle", "Change the title"),
            ("close", "Close it, and return buy-ins"),
        )
    )
    user = forms.UUIDField(required=False, help_text="The id of the user to mute or unmute.")
    title = forms.CharField(max_length=60, required=False, validators=[LINE])

    def clean(self) -> dict[str, Any]:
        """Require a user or a title where the action needs one, and only then."""
        super().clean()
        self._only_with("user", "mute", "unmute")
        self._only_with("title", "retitle")
        return self.cleaned_data


class Suspension(Reasoned):
    """The form that suspends a user, or ends a suspension."""

    until = forms.DateTimeField(
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text="The end, in UTC. Leave it empty to end a suspension now.",
    )


def operator_of(request: HttpRequest) -> User:
    """Return the superuser who acts. Raises PermissionDenied for anybody else."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise PermissionDenied
    return request.user
