alter table "applications" add column if not exists "deleted_at" timestamp with time zone;
--> statement-breakpoint
-- The one service that this server itself answers for; the operator may rename it, and it is never deleted.
insert into services (id, title, unit, description, tags)
values (
  'b1fbcc32-e218-4253-9dc3-4fe600a1bfb9', 'AI Chat', 'Credit',
  'Conversations with the language models this installation serves.', array['chat']
)
on conflict (id) do nothing;
