"""URLs of OAuth 2.0. The server metadata lists them; the toolkit looks up their names."""

from django.contrib.auth.views import LogoutView
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.views import OAuthServerMetadataView

from accounts.oauth.openid import Exchange, FromProvider, ToProvider
from accounts.oauth.pages import Consent, Revocation, SignIn, Tokens

# CSRF checks are off for programs: they send no cookies that a page could abuse.
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
    path("oauth/openid/", ToProvider.as_view(), name="openid"),
    path("oauth/openid/return/", FromProvider.as_view(), name="openid-return"),
    path("oauth/openid/token/", Exchange.as_view(), name="openid-token"),
    path("oauth/sign_out/", LogoutView.as_view(), name="sign-out"),
]
