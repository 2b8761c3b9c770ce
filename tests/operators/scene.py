"""A signed-in operator."""

from django.test import Client

from accounts.models import User


def signed_in(user: User, *, superuser: bool) -> Client:
    User.objects.filter(id=user.id).update(is_staff=True, is_superuser=superuser)
    client = Client()
    client.force_login(User.objects.get(id=user.id))
    return client
