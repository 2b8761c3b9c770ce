"""The addresses of OAuth 2.0; the metadata tell a program where they are. Their names are those
that the toolkit looks for."""

from django.contrib.auth.views import LogoutView
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.views import OAuthServerMetadataView

from accounts.oauth.pages import Consent, Revocation, SignIn, Tokens

# Programs bring no cookie, so nobody can make somebody else's browser ask for them.
app_name = "oauth2_provider"
urlpatterns = [
    path(
        ".well-known/oauth-authorization-server",
        OAuthServerMetadataView.as_view(),
        name="oauth-server-metadata",
    ),
    path("oauth/authorize/", Consent.as_view(), name="authorize"),
    path("oauth/token/", csrf_exempt(Tokens.as_view()), name="token"),
    path("oauth/revoke/", csrf_exempt(Revocation.as_view()), name="revoke-token"),
    path("oauth/sign_in/", SignIn.as_view(), name="sign-in"),
    path("oauth/sign_out/", LogoutView.as_view(), name="sign-out"),
]
