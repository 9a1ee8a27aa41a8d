-- The tables that belong to nobody alone are protected too (security R20, docs/decisions/0020): a forgotten handler check
-- or a later grant opens nothing. A site is read by anybody, since a page needs it before sign-in, and changed by its admins
-- and by operators; its origin is not among the columns a request may write (security R21).
create function protect_shared(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy system on %s to current_user using (true) with check (true)', target);
end
$$;
--> statement-breakpoint
revoke all on function protect_shared(regclass) from public;
--> statement-breakpoint
select protect_shared(name::regclass) from unnest(array['sites', 'services', 'installation', 'workers']) as name;
--> statement-breakpoint
create policy read on sites for select to atrium_app using (true);
--> statement-breakpoint
create policy read on services for select to atrium_app using (true);
--> statement-breakpoint
create policy read on installation for select to atrium_app using (true);
--> statement-breakpoint
create policy administer on sites for update to atrium_app
  using (
    (select nullif(current_setting('app.user', true), '')::uuid) = any (admins)
    or exists (
      select from users
      where users.id = (select nullif(current_setting('app.user', true), '')::uuid) and users.role = 'operator'
    )
  )
  with check (cardinality(admins) > 0);
--> statement-breakpoint
grant update (
  title, logo, favicon, description, keywords, admins, features, distribution, accent, metadata, tags, updated_at
) on sites to atrium_app;
