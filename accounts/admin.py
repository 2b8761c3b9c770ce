"""Apps of others in the admin: what registering them by REST says, but for anybody. Tokens are not shown here at all."""

from typing import Any

import oauth2_provider.admin  # noqa: F401  (registers what is taken back below)
from django import forms
from django.contrib import admin
from oauth2_provider.models import AccessToken, Application, Grant, IDToken, RefreshToken

from accounts.oauth import clients

for _model in (AccessToken, Application, Grant, IDToken, RefreshToken):
    admin.site.unregister(_model)


class AppForm(forms.ModelForm):  # type: ignore[type-arg]  # of Application, which has no types
    """An app: its name, whose it is, and where it is answered."""

    name = forms.CharField(max_length=clients.NAME_MAX)
    redirect_uris = forms.CharField(widget=forms.Textarea, help_text="https, or http on one's own machine; one to a line")

    class Meta:
        model = Application
        fields = ("name", "user", "redirect_uris")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, value in clients.PUBLIC.items():
            setattr(self.instance, name, value)

    def clean_redirect_uris(self) -> str:
        """As they are stored: separated by spaces."""
        uris = self.cleaned_data["redirect_uris"].split()
        if len(uris) > clients.REDIRECT_URIS_MAX:
            raise forms.ValidationError(f"At most {clients.REDIRECT_URIS_MAX}.")
        try:
            return " ".join(map(clients.checked_redirect_uri, uris))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


@admin.register(Application)
class AppAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # of Application, which has no types
    """What staff see of a program. Removing one ends every token that it was lent."""

    form = AppForm
    list_display = ("name", "client_id", "user", "created")
    search_fields = ("name", "client_id")
    raw_id_fields = ("user",)
    readonly_fields = ("client_id",)
