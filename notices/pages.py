"""The page that turns mails of a kind off: by a click there, or in the program that reads mail."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notices import mails


@csrf_exempt  # the code in the address is the permission: RFC 8058 sends nothing else
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, code: str) -> HttpResponse:
    """Ask, or with POST turn mails off."""
    found = mails.kind_of(code)
    if found is None:
        return render(request, "notices/unsubscribe.html", {"state": "invalid"}, status=404)
    user, kind = found
    if request.method == "POST":
        mails.unsubscribe(user, kind)
    state = "done" if request.method == "POST" else "ask"
    what, what_fr = mails.SUBJECTS[kind]
    shown = {"state": state, "what": what, "what_fr": what_fr}
    return render(request, "notices/unsubscribe.html", shown)


urlpatterns = [path("unsubscribe/<str:code>/", unsubscribe)]
