#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: the database, the role that owns it, and the application's role.
# The application owns no table, so that what a migration revokes (changing histories) stays revoked.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" <<'SQL'
CREATE ROLE gameserver_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE gameserver_app LOGIN PASSWORD :'app_password';
CREATE DATABASE gameserver OWNER gameserver_owner;
\connect gameserver
ALTER DEFAULT PRIVILEGES FOR ROLE gameserver_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO gameserver_app;
ALTER DEFAULT PRIVILEGES FOR ROLE gameserver_owner GRANT USAGE, SELECT ON SEQUENCES TO gameserver_app;
REVOKE CONNECT ON DATABASE gameserver FROM PUBLIC;
GRANT CONNECT ON DATABASE gameserver TO gameserver_app;
SQL
