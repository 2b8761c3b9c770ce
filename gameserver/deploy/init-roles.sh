#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: the database, the role that owns it, and the application's role.
# The application owns no table, so that what a migration revokes (changing histories) stays revoked.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" <<'SQL'
CREATE ROLE gameserver_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE gameserver_app LOGIN PASSWORD :'app_password';
-- A second login of the application, for its store: with PgBouncer in between, settings cannot come with a connection.
CREATE ROLE gameserver_store LOGIN PASSWORD :'app_password' IN ROLE gameserver_app;
ALTER ROLE gameserver_app SET idle_in_transaction_session_timeout = 10000;
ALTER ROLE gameserver_app SET max_parallel_workers_per_gather = 0;
ALTER ROLE gameserver_store SET statement_timeout = 4000;
ALTER ROLE gameserver_store SET lock_timeout = 2000;
ALTER ROLE gameserver_store SET idle_in_transaction_session_timeout = 1500;
ALTER ROLE gameserver_store SET jit = off;
ALTER ROLE gameserver_store SET enable_seqscan = off;
ALTER ROLE gameserver_store SET enable_bitmapscan = off;
ALTER ROLE gameserver_store SET plan_cache_mode = force_generic_plan;
-- For the lag of standbys.
GRANT pg_read_all_stats TO gameserver_app;
CREATE DATABASE gameserver OWNER gameserver_owner;
\connect gameserver
ALTER DEFAULT PRIVILEGES FOR ROLE gameserver_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO gameserver_app;
ALTER DEFAULT PRIVILEGES FOR ROLE gameserver_owner GRANT USAGE, SELECT ON SEQUENCES TO gameserver_app;
REVOKE CONNECT ON DATABASE gameserver FROM PUBLIC;
GRANT CONNECT ON DATABASE gameserver TO gameserver_app;
SQL
