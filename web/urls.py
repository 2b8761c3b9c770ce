"""Where the pages are. The start page is at `/`, where programs get JSON."""

from django.urls import path

from web import views

urlpatterns = [
    path("lobbies/<uuid:lobby>/", views.lobby, name="lobby-page"),
    path("games/<uuid:game>/", views.table, name="table-page"),
    path("games/<uuid:game>/replay/", views.replay, name="replay-page"),
    path("open/", views.open_table, name="open-page"),
    path("service-worker.js", views.service_worker),
    path("notices/", views.notices, name="notices-page"),
    path("profile/", views.profile, name="profile-page"),
    path("profile/signed-in/", views.signed_in, name="signed-in-page"),
    path("verify/", views.verify, name="verify-page"),
]
