"""Users and OAuth apps in the Django admin. The admin shows no tokens.

Superusers set who is active, staff, superuser and auditor, and nothing else about users. Apps can
be registered here for any user, under the same rules as through the API.
"""

from typing import Any, Final

import django_otp.plugins.otp_static.admin
import django_otp.plugins.otp_totp.admin  # noqa: F401
import oauth2_provider.admin  # noqa: F401
from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from oauth2_provider.models import AccessToken, Application, Grant, IDToken, RefreshToken

from accounts.models import User
from accounts.oauth import clients

RIGHTS: Final = ("is_active", "is_staff", "is_superuser", "groups")
"""The fields that superusers edit. A change takes effect at once: each request looks up scopes."""

# One row at a time: a bulk action would not write a log entry for each row.
admin.site.disable_action("delete_selected")

for _model in (
    *(AccessToken, Application, Grant, IDToken, RefreshToken, StaticDevice, TOTPDevice),
):
    admin.site.unregister(_model)


class AppForm(forms.ModelForm):  # type: ignore[type-arg]  # of Application, which has no types
    """The form of an app: name, owner and redirect URIs."""

    name = forms.CharField(max_length=clients.NAME_MAX)
    redirect_uris = forms.CharField(
        widget=forms.Textarea, help_text="https, or http on localhost; one per line"
    )

    class Meta:
        model = Application
        fields = ("name", "user", "redirect_uris")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, value in clients.PUBLIC.items():
            setattr(self.instance, name, value)

    def clean_redirect_uris(self) -> str:
        """Return the URIs as stored: separated by spaces. Raises ValidationError."""
        uris = self.cleaned_data["redirect_uris"].split()
        if len(uris) > clients.REDIRECT_URIS_MAX:
            raise forms.ValidationError(f"At most {clients.REDIRECT_URIS_MAX}.")
        try:
            return " ".join(map(clients.checked_redirect_uri, uris))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


@admin.register(Application)
class AppAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # of Application, which has no types
    """OAuth apps. Deleting an app ends all its tokens."""

    form = AppForm
    list_display = ("name", "client_id", "user", "created")
    search_fields = ("name", "client_id")
    raw_id_fields = ("user",)
    readonly_fields = ("client_id",)


@admin.register(User)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # of User
    """Users. They register, edit and erase themselves through the API."""

    show_full_result_count = False
    list_display = (
        "id",
        "username",
        "display_name",
        "is_guest",
        "is_bot",
        "is_staff",
        "is_active",
        "date_joined",
    )
    list_filter = ("is_staff", "is_superuser", "is_active", "groups")
    search_fields = ("=id", "username", "display_name")
    ordering = ("-id",)
    fields = ("id", "username", "display_name", "is_guest", "owner", "date_joined", *RIGHTS)
    filter_horizontal = ("groups",)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Return the fields that staff cannot edit. Guests and bots only have `is_active`."""
        without_rights = obj is not None and (obj.is_guest or obj.is_bot)
        granted = RIGHTS[:1] if without_rights else RIGHTS
        return tuple(name for name in self.fields if name not in granted)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: users register through the API."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Allow superusers only."""
        return isinstance(request.user, User) and request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return False: histories refer to users."""
        return False

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """List the changed fields and their new values for the log."""
        now = {name: form.cleaned_data[name] for name in form.changed_data}
        return ", ".join(
            f"{name}: {' '.join(map(str, now[name])) if name == 'groups' else now[name]}"
            for name in now
        )

    @admin.display(boolean=True)
    def is_bot(self, user: User) -> bool:
        """Whether this is a bot user."""
        return user.is_bot
