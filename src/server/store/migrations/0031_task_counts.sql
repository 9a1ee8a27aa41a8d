-- expand
CREATE TABLE "task_counts" (
	"user_id" uuid NOT NULL,
	"service" text NOT NULL,
	"type" text NOT NULL,
	"tasks" integer NOT NULL,
	CONSTRAINT "task_counts_user_id_service_type_pk" PRIMARY KEY("user_id","service","type")
);
--> statement-breakpoint
ALTER TABLE "task_counts" ADD CONSTRAINT "task_counts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- safe: the table is new, and it gets what every table has
select protect_rows('task_counts'::regclass);
--> statement-breakpoint
-- safe: the table is new; its rows are the triggers' alone
revoke insert, update, delete on task_counts from atrium_app;
--> statement-breakpoint
-- As the owner, so that the counts belong to the transaction of the tasks, whoever makes or deletes them.
create function count_tasks() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into task_counts (user_id, service, type, tasks)
    select user_id, service, coalesce(type, ''), count(*) from changed group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, service, type) do update set tasks = task_counts.tasks + excluded.tasks;
  elsif tg_op = 'DELETE' then
    update task_counts set tasks = task_counts.tasks - gone.tasks
    from (select user_id, service, coalesce(type, '') as type, count(*) as tasks from changed group by 1, 2, 3) gone
    where (task_counts.user_id, task_counts.service, task_counts.type) = (gone.user_id, gone.service, gone.type);
  else
    delete from task_counts;
  end if;
  return null;
end
$$;
--> statement-breakpoint
-- safe: the function is new, and only triggers call it
revoke all on function count_tasks() from public;
--> statement-breakpoint
-- safe: tasks of older servers are counted too; new ones wait until those that are there are counted, a second for some millions
create trigger tasks_made after insert on tasks referencing new table as changed
  for each statement execute function count_tasks();
--> statement-breakpoint
-- safe: as above
create trigger tasks_deleted after delete on tasks referencing old table as changed
  for each statement execute function count_tasks();
--> statement-breakpoint
-- safe: as above
create trigger tasks_emptied after truncate on tasks for each statement execute function count_tasks();
--> statement-breakpoint
insert into task_counts (user_id, service, type, tasks)
select user_id, service, coalesce(type, ''), count(*) from tasks group by 1, 2, 3;
