"""Django's settings. `environment` reads those that the environment can change."""

import os
import re
from importlib.util import find_spec
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from gameserver.settings import build, environment, logs
from gameserver.settings.oauth import OAUTH2_PROVIDER  # noqa: F401
from gameserver.settings.rest import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401

environment.read_secret_files()
DEBUG = environment.flag("DEBUG")
SECRET_KEY = environment.secret_key(strict=not DEBUG)
SECRET_KEY_FALLBACKS = environment.words("SECRET_KEY_FALLBACKS")

# Hosts, origins, TLS and cookies, all derived from the public address.
PUBLIC_URL = environment.public_url()
# A proxy in front removes this path from the addresses of requests: see gameserver/asgi.py.
PUBLIC_PATH = urlsplit(PUBLIC_URL).path
FORCE_SCRIPT_NAME = PUBLIC_PATH or None
WITH_TLS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = [
    *filter(None, [urlsplit(PUBLIC_URL).hostname]),
    *environment.words("ALLOWED_HOSTS"),
    *environment.LOCAL_HOSTS,
]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL.removesuffix(PUBLIC_PATH)] if PUBLIC_URL else []
SECURE_SSL_REDIRECT = WITH_TLS
SECURE_REDIRECT_EXEMPT = [rf"^{re.escape(PUBLIC_PATH)[1:]}/?(api/v1/)?health"]
SECURE_HSTS_SECONDS = 31_536_000 if WITH_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("HSTS_SUBDOMAINS")
SECURE_HSTS_PRELOAD = environment.flag("HSTS_PRELOAD")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = WITH_TLS
SESSION_COOKIE_HTTPONLY = True
# Browsers accept the prefixes over TLS only. With `__Host-` no other host of the domain can set the
# cookie, but its path must be `/`: under a path, each server needs its own.
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{PUBLIC_PATH}/"
_PREFIX = ("__Secure-" if PUBLIC_PATH else "__Host-") if WITH_TLS else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{_PREFIX}sessionid", f"{_PREFIX}csrftoken"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
X_FRAME_OPTIONS = "DENY"

# Pages of any origin may call endpoints that take tokens and no cookies, so not the sign-in pages.
CORS_URLS_REGEX = (
    r"^/(api/(v1|schema)/|asyncapi\.yaml$|graphql/$|log/|oauth/(token|revoke)/$"
    r"|\.well-known/oauth-authorization-server$)"
)
CORS_ALLOWED_ORIGINS = environment.origins("CORS_ALLOWED_ORIGINS")
CORS_ALLOW_ALL_ORIGINS = not CORS_ALLOWED_ORIGINS
CORS_ALLOW_METHODS = ["DELETE", "GET", "POST", "PUT"]
CORS_ALLOW_HEADERS = ["authorization", "content-type", "idempotency-key", "if-none-match"]
CORS_EXPOSE_HEADERS = [
    *("ratelimit", "ratelimit-policy", "retry-after", "www-authenticate"),
    *("deprecation", "sunset", "etag", "content-disposition", "x-request-id", "as-of"),
]

# Connections of a web process: trusted proxies, limits, and for how long it serves after SIGTERM.
FORWARDED_ALLOW_IPS = environment.proxies()
REQUEST_TIMEOUT_S = environment.count("REQUEST_TIMEOUT_S", 10)
CONNECTIONS_PER_ADDRESS = environment.count("CONNECTIONS_PER_ADDRESS", 1_000)
DRAIN_NOTICE_S = environment.count("DRAIN_NOTICE_S", 0)

# The host and port where a process serves its metrics, or None.
METRICS_ADDRESS = environment.metrics_address()

INSTALLED_APPS = [
    "gameserver",
    "accounts",
    "notices",
    "games",
    "web",
    # Development tools, where they are installed; the image has neither.
    *(app for app in ("demo", "bench") if find_spec(app)),
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "corsheaders",
    "oauth2_provider",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "gameserver.http.compression.PublicAnswers",
    "gameserver.http.requests.observe",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "gameserver.http.headers.Headers",
    "gameserver.http.slashes.Slashes",
    "gameserver.http.limits.AddressLimit",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.oauth.second_factor.Guard",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "gameserver.http.commands.in_one_thread",
]
ROOT_URLCONF = "gameserver.urls"
ASGI_APPLICATION = "gameserver.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.oauth.words.context",
            ]
        },
    }
]

# PostgreSQL and Valkey. `manage.py migrate` logs in with DATABASE_OWNER_URL instead (see
# `gameserver.processes.commands`).
DATABASES = environment.databases()
# Lists, exports and past views come from DATABASE_REPLICA_URL while it lags by less than this.
DATABASE_ROUTERS = ["kit.replicas.Router"]
DATABASE_REPLICA_STALE_S = environment.count("DATABASE_REPLICA_STALE_S", 10)
DATABASE_POOLING = environment.pooling()
STORE_DATABASE = environment.store_database()
APPLICATION_ROLE = environment.text("APPLICATION_ROLE")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = environment.redis_url()
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "kit.channel_layer.ChannelLayer",
        "CONFIG": {"url": REDIS_URL, "prefix": "gameserver"},
    }
}

# Celery delivers at least once, so tasks are idempotent. The task of a lost worker returns within
# the visibility timeout.
CELERY_BROKER_URL = environment.broker_url()
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_VISIBILITY_TIMEOUT = 600  # seconds, the same for all of Celery's settings
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_VISIBILITY_TIMEOUT,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    # Behind a half-open connection a worker would consume nothing, and never end.
    "socket_timeout": 5,
    "socket_keepalive": True,
}
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = CELERY_EVENT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_PUBLISH_RETRY_POLICY = {
    "max_retries": 2,
    "interval_start": 0.1,
    "interval_step": 0.2,
    "interval_max": 0.5,
}
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = environment.count("WORKER_THREADS", 8)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Threads cannot be cancelled: with this pool, True raises instead.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5.0
CELERY_WORKER_ENABLE_SOFT_SHUTDOWN_ON_IDLE = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# Users and tokens.
AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = [
    "accounts.passwords.BoundedArgon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "display_name", "email"]},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "accounts.passwords.DistinctCharactersValidator"},
    {"NAME": "accounts.passwords.CommonBaseValidator"},
]
OAUTH2_PROVIDER_APPLICATION_MODEL = "oauth2_provider.Application"
LOGIN_URL = "oauth2_provider:sign-in"
LOGIN_REDIRECT_URL = "index"
SILENCED_SYSTEM_CHECKS = [
    # HTTP redirects to the loopback interface are allowed, see `accounts.oauth.clients`.
    # A grace period needs no stored tokens here: a repeated refresh derives the same ones again,
    # see `accounts.oauth.protocol`.
    "oauth2_provider.E001",
    "oauth2_provider.W008",
    # HSTS for subdomains and preloading bind a whole domain, so the operator decides.
    *("security.W005", "security.W021"),
]
PASSWORD_RESET_TIMEOUT = 3600  # seconds for which a mailed code is valid

# Whether staff need a second factor for the admin and the scope `admin`.
# Guesses are limited by `RATE_LIMITS`: with a limit of the device, a stranger could lock its owner
# out. A code counts for the clock of the server: corrections would add up to any difference.
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
OTP_TOTP_SYNC = False
STAFF_SECOND_FACTOR = environment.flag("STAFF_SECOND_FACTOR", default=bool(PUBLIC_URL))

# Requests per seconds, by user, token, address or mailbox; 0 disables a limit.
RATE_LIMITS = environment.rate_limits(
    {
        "address": (30_000, 60),
        "user": (6_000, 60),
        "token": (3_000, 60),
        # From one address:
        "guest": (60, 60),
        "register": (20, 60),
        "sign_in": (20, 60),
        "invite": (60, 60),
        "oauth": (300, 60),
        "mail": (10, 3600),
        # Chat messages of one user, requests for past views, and for a file of all their data:
        "chat": (20, 20),
        "replay": (240, 60),
        "personal_data": (5, 3600),
        # Starts that one user ended, in one lobby and in all:
        "ended_start": (1, 600),
        "ended_starts": (5, 3600),
        # Changes and tests of webhooks from one address; deliveries that one user sends again, and
        # mails to one user about notices:
        "webhook": (60, 3600),
        "webhook_again": (10_000, 3600),
        "notice_mail": (30, 3600),
        # Wrong passwords and codes of the second factor for one username; mails to one mailbox:
        "account": (10, 300),
        "factor": (20, 86_400),
        "mailbox": (5, 3600),
    }
)

# Mail goes to EMAIL_HOST if it is set; else to the terminal on a development machine, and nowhere
# in production, because production logs are kept.
EMAIL_HOST = environment.text("EMAIL_HOST")
EMAIL_PORT = environment.count("EMAIL_PORT", 587)
EMAIL_HOST_USER = environment.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_TLS", default=True)
EMAIL_TIMEOUT = 10  # seconds
_BACKEND = "smtp" if EMAIL_HOST else "dummy" if PUBLIC_URL else "console"
EMAIL_BACKEND = f"django.core.mail.backends.{_BACKEND}.EmailBackend"
DEFAULT_FROM_EMAIL = (
    environment.text("EMAIL_FROM") or f"games@{urlsplit(PUBLIC_URL).hostname or 'localhost'}"
)

OPENING_GRANT = environment.count("OPENING_GRANT", 1000)  # coins in a new wallet
# Whether the grant and buy-ins require a confirmed e-mail address. Otherwise one person could
# collect grants with many users.
GRANT_REQUIRES_EMAIL = environment.flag("GRANT_REQUIRES_EMAIL", default=bool(PUBLIC_URL))

# Whether web processes step games while no worker does.
STANDBY_CLOCK = environment.flag("STANDBY_CLOCK", default=True)

# The delays of bots, in percent: 10 lets them react ten times as fast as people, for tests.
BOT_DELAY_PERCENT = environment.count("BOT_DELAY_PERCENT", 100)

# The OpenID Connect provider with which players may sign in, if any. Staff may not.
OIDC_ISSUER = environment.oidc_issuer()
OIDC_CLIENT_ID = environment.text("OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = environment.text("OIDC_CLIENT_SECRET")
OIDC_NAME = environment.text("OIDC_NAME") or urlsplit(OIDC_ISSUER).hostname or ""

# The log of histories: whether these workers seal it, its name, and the file of its signing key.
# See docs/audit.md.
SEALING = environment.flag("SEALING", default=True)
LOG_ORIGIN = environment.log_origin()
LOG_KEY_FILE = environment.key_file("LOG_KEY_FILE")

# For how many days copies of the log's entries stay beside its key, for `log_restore`.
LOG_COPY_DAYS = environment.count("LOG_COPY_DAYS", 40)

# The build of this server, which each game and the log name.
BUILD_VERSION = build.version()
BUILD_COMMIT = build.commit()

# The witnesses that cosign checkpoints, and how many of them a published checkpoint should have.
WITNESSES = environment.witnesses()
WITNESS_QUORUM = environment.count("WITNESS_QUORUM", len(WITNESSES) // 2 + 1)

# Those of them that add to the dice of every game: none starts without all of them.
START_WITNESSES = environment.start_witnesses(WITNESSES)

# The file of the keys that sign acknowledgements, which web processes hold. Sealing workers read
# the file `.pub` beside it.
ACK_KEY_FILE = environment.key_file("ACK_KEY_FILE")

# The file of the keys that encrypt the seeds of games until these have ended.
SEED_KEY_FILE = environment.key_file("SEED_KEY_FILE")

# The file of the keys of Web Push. Without it, the server sends none.
VAPID_KEY_FILE = environment.key_file("VAPID_KEY_FILE")

# The most open lobbies that one user hosts, bot users included, and that a guest hosts.
LOBBIES_MAX = environment.count("LOBBIES_MAX", 10)
GUEST_LOBBIES_MAX = environment.count("GUEST_LOBBIES_MAX", 3)

# An absent user loses the seat in a lobby after this time; a game without any user is voided.
LOBBY_ABSENT_S = environment.count("LOBBY_ABSENT_S", 900)
GAME_ABANDONED_S = environment.count("GAME_ABANDONED_S", 86_400)
NOTICES_KEPT_DAYS = environment.count("NOTICES_KEPT_DAYS", 90)
# Mails about notices wait for so long, and are not sent if the user has read or decided meanwhile.
NOTICE_AFTER_S = environment.count("NOTICE_AFTER_S", 60)
# Networks of the operator to which webhooks may point, also without TLS.
WEBHOOK_NETWORKS = environment.networks("WEBHOOK_NETWORKS")
SLOW_FILL_DAYS = environment.count("SLOW_FILL_DAYS", 14)
SLOW_GAME_DAYS = environment.count("SLOW_GAME_DAYS", 400)
SEATS_HELD_S = environment.count("SEATS_HELD_S", 120)

# For how many days data that is no history is kept. See `games.lobbies.retention`.
CHAT_KEPT_DAYS = environment.count("CHAT_KEPT_DAYS", 30)
PRESENCE_KEPT_DAYS = environment.count("PRESENCE_KEPT_DAYS", 7)
REQUESTS_KEPT_DAYS = environment.count("REQUESTS_KEPT_DAYS", 7)
LOBBY_EVENTS_KEPT_DAYS = environment.count("LOBBY_EVENTS_KEPT_DAYS", 365)

# The storage of archived games: a folder (`file:///...`), or `s3://bucket/prefix` and the like.
ARCHIVE_URL = environment.archive_url()

# Rules from outside the catalogue: modules for the registry to load.
EXTRA_RULES = environment.words("EXTRA_RULES")


class NoLibrary(os.PathLike[str]):
    """The path of a library that this server does without."""

    def __fspath__(self) -> str:
        raise ImproperlyConfigured("This server uses no such library.")


# strawberry-django imports Django's geometry if it finds GDAL. This server has none; to search for
# it would start a linker and a compiler for each of its names.
GDAL_LIBRARY_PATH = NoLibrary()

DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536

# Served directly from the packages (see `gameserver.http.static`): there is nothing to collect.
STATIC_URL = f"{PUBLIC_PATH}/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

# Where this process sees backups and the copy of the log's checkpoint, whose ages it then reports.
BACKUP_FOLDER = environment.text("BACKUP_FOLDER")
CHECKPOINT_COPY = environment.text("CHECKPOINT_COPY")

# The file that a worker touches every few seconds, for its probe.
HEARTBEAT_FILE = environment.text("HEARTBEAT_FILE")

# Whether each request leaves a line in the log.
LOG_REQUESTS = environment.flag("LOG_REQUESTS", default=bool(PUBLIC_URL))

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
DATETIME_FORMAT = "Y-m-d H:i:s"
USE_I18N = False
USE_TZ = True
LOGGING = logs.configuration(
    as_json=environment.flag("LOG_JSON", default=bool(PUBLIC_URL)), level=environment.log_level()
)
