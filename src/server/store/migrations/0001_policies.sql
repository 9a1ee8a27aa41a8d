-- Who may see and write which rows (security R20). Two roles: the owner of the schema (`atrium` in the embedded database;
-- sign-in, workers, migrations) sees all rows; `atrium_app` (each request, by SET LOCAL ROLE) sees rows of `app.user` only.
-- A later migration that adds a table with a user_id calls protect_rows('the_table') as well; a test compares all tables.

create function protect_rows(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own on %s to atrium_app '
    'using (user_id = (select nullif(current_setting(''app.user'', true), '''')::uuid)) '
    'with check (user_id = (select nullif(current_setting(''app.user'', true), '''')::uuid))', target);
  execute format('create policy system on %s to current_user using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to atrium_app', target);
end
$$;
--> statement-breakpoint
revoke all on function protect_rows(regclass) from public;
--> statement-breakpoint
grant usage on schema public to atrium_app;
--> statement-breakpoint
select protect_rows(name::regclass) from unnest(array[
  'token_families', 'access_tokens', 'login_codes', 'applications', 'credentials', 'ledger_entries', 'usages',
  'conversations', 'messages', 'answers', 'answer_chunks', 'idempotency_keys', 'files'
]) as name;
--> statement-breakpoint
-- Rows of these are never changed (schema.ts); codes and access tokens are made by sign-in only.
revoke update, delete on ledger_entries, usages from atrium_app;
--> statement-breakpoint
revoke insert, update on access_tokens, login_codes from atrium_app;
--> statement-breakpoint
-- People: a request sees its own row and may write what PUT /users/me may write; role, e-mail and password are sign-in's.
alter table users enable row level security;
--> statement-breakpoint
alter table users force row level security;
--> statement-breakpoint
create policy own on users to atrium_app
  using (id = (select nullif(current_setting('app.user', true), '')::uuid))
  with check (id = (select nullif(current_setting('app.user', true), '')::uuid));
--> statement-breakpoint
create policy system on users to current_user using (true) with check (true);
--> statement-breakpoint
grant select on users to atrium_app;
--> statement-breakpoint
grant update (nickname, first_name, last_name, gender, city, province, country, avatar, updated_at) on users to atrium_app;
--> statement-breakpoint
-- Shared facts: requests read them; writes go through asSystem after the handler's check (who administers a site and
-- which keys are immutable depends on the old and the new row together, which a policy cannot compare).
grant select on sites, services, installation to atrium_app;
--> statement-breakpoint
-- Adds a job within the request's own transaction: the job exists exactly when the rows it works on do. The request role
-- cannot reach the queue's own schema. `attempts` is 1 for paid calls: an answer is never asked twice by a retry.
create function enqueue_job(task text, payload json, attempts integer, job_key text default null) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  job_id text;
begin
  select job.id::text into job_id
  from graphile_worker.add_job(task, payload, max_attempts => attempts, job_key => enqueue_job.job_key) as job;
  return job_id;
end
$$;
--> statement-breakpoint
revoke all on function enqueue_job(text, json, integer, text) from public;
--> statement-breakpoint
grant execute on function enqueue_job(text, json, integer, text) to atrium_app;
