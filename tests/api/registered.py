"""Registered users, and the codes that they are mailed."""

from uuid import UUID, uuid4

from django.core.mail import EmailMessage
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import User
from tests.api.rest import Caller

PASSWORD = "correct horse battery"
OTHER = "wrong donkey accumulator"


def code_in(mail: EmailMessage) -> str:
    """Find the code, which has its own line."""
    return next(line for line in str(mail.body).splitlines() if len(line) > 20 and " " not in line)


def registration() -> dict[str, str]:
    return {"username": f"p{uuid4().hex[:20]}", "password": PASSWORD, "display_name": "Ann"}


def registered() -> tuple[str, Caller]:
    body = registration()
    return body["username"], Caller(token=Caller().post("/auth/register/", body).data["token"])


def signed_in(username: str, password: str) -> int:
    status: int = Caller().post("/auth/token/", {"username": username, "password": password}).status
    return status


def user_of(caller: Caller) -> User:
    return User.objects.get(id=UUID(caller.get("/auth/me/").data["id"]))


def code_of(user: User, steps: int = 0) -> str:
    """Return the present code of a user's app, or the one so many half minutes later."""
    device = TOTPDevice.objects.get(user=user)
    return f"{TOTP(device.bin_key, t0=device.t0, drift=steps).token():06}"


def proved(code: str) -> dict[str, str]:
    """A mailed code and the password."""
    return {"code": code, "password": PASSWORD}


def with_address(mailed: list[EmailMessage]) -> tuple[str, str, Caller]:
    username, caller = registered()
    address = f"{uuid4().hex}@example.org"
    assert caller.post("/auth/email/", {"email": address}).status == 202
    assert caller.post("/auth/email/confirm/", proved(code_in(mailed[-1]))).status == 204
    return username, address, caller
