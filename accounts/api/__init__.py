"""Operations on users, their tokens, apps and bot users, and their addresses under `auth/`."""

from django.urls import path

from accounts.api import apps, bot_users, tokens, users, vacations
from accounts.rest import address

urlpatterns = [
    path("guest/", address(post=users.create_guest)),
    path("register/", address(post=users.register)),
    path("token/", address(post=users.sign_in)),
    path("second-factor/", address(post=users.prove_second_factor)),
    path("second-factor/secret/", address(post=users.create_factor_secret)),
    path("second-factor/add/", address(post=users.add_second_factor)),
    path("second-factor/remove/", address(post=users.remove_second_factor)),
    path("me/", address(get=users.me)),
    path("guest/register/", address(post=users.register_guest)),
    path("device/", address(post=users.create_device_code)),
    path("device/confirm/", address(post=users.change_device)),
    path("password/", address(post=users.change_password)),
    path("email/", address(post=users.ask_for_address_code)),
    path("email/confirm/", address(post=users.confirm_address)),
    path("reset/", address(post=users.ask_for_reset_code)),
    path("reset/confirm/", address(post=users.reset_password)),
    path("proof/", address(post=users.ask_for_proof_code)),
    path("restore/", address(post=users.restore_user)),
    path("erase/", address(post=users.erase_user)),
    path("tokens/", address(get=tokens.list_tokens, post=tokens.create_token)),
    path("tokens/<uuid:token>/", address(delete=tokens.revoke_one_token)),
    path("bots/", address(get=bot_users.list_bot_users, post=bot_users.create_bot_user)),
    path(
        "bots/<uuid:bot>/", address(put=bot_users.rename_bot_user, delete=bot_users.delete_bot_user)
    ),
    path(
        "bots/<uuid:bot>/tokens/",
        address(get=bot_users.list_bot_tokens, post=bot_users.create_bot_token),
    ),
    path("bots/<uuid:bot>/tokens/<uuid:token>/", address(delete=bot_users.revoke_bot_token)),
    path("vacations/", address(get=vacations.list_vacations, post=vacations.announce_vacation)),
    path("vacations/<uuid:vacation>/", address(delete=vacations.end_vacation)),
    path("apps/", address(get=apps.list_apps, post=apps.register_app)),
    path("apps/<slug:client_id>/", address(delete=apps.remove_app)),
    path("revoke/", address(post=tokens.revoke_token)),
    path("revoke_all/", address(post=tokens.revoke_all_tokens)),
]
