CREATE TABLE "usage_sums" (
	"user_id" uuid NOT NULL,
	"minutes" smallint NOT NULL,
	"slot" timestamp with time zone NOT NULL,
	"application_id" uuid NOT NULL,
	"api_id" uuid NOT NULL,
	"status_class" smallint NOT NULL,
	"calls" bigint NOT NULL,
	"deducted_amount" numeric(20, 6) NOT NULL,
	CONSTRAINT "usage_sums_user_id_minutes_slot_application_id_api_id_status_class_pk" PRIMARY KEY("user_id","minutes","slot","application_id","api_id","status_class")
);
--> statement-breakpoint
CREATE TABLE "distribution_rewards" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"invitee_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"price" numeric(20, 6) NOT NULL,
	"reward" numeric(20, 6) NOT NULL,
	"percentage" numeric(6, 3) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "distribution_statuses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"price" numeric(20, 6) DEFAULT '0' NOT NULL,
	"reward" numeric(20, 6) DEFAULT '0' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "short_links" (
	"code" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "usages_user";--> statement-breakpoint
ALTER TABLE "usages" ADD COLUMN "api_id" uuid;--> statement-breakpoint
-- The id of an API is computed from its name (platform/service-apis.ts): the first 128 bits of its SHA-256 as a UUID of version 8.
-- Rows of media tasks name service and operation; all others are of the chat.
update usages set api_id = overlay(overlay(left(encode(sha256(convert_to(
  coalesce(metadata ->> 'service' || '/' || (metadata ->> 'operation'), 'aichat/conversations'), 'UTF8'
)), 'hex'), 32) placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid;
--> statement-breakpoint
ALTER TABLE "usages" ALTER COLUMN "api_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "usages" ADD COLUMN "used_amount" numeric(20, 6);--> statement-breakpoint
ALTER TABLE "token_families" ADD COLUMN "agent" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_inviter_other" CHECK ("users"."inviter_id" <> "users"."id");--> statement-breakpoint
ALTER TABLE "usage_sums" ADD CONSTRAINT "usage_sums_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_sums" ADD CONSTRAINT "usage_sums_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distribution_rewards" ADD CONSTRAINT "distribution_rewards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "distribution_statuses" ADD CONSTRAINT "distribution_statuses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "short_links" ADD CONSTRAINT "short_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "distribution_rewards_once" ON "distribution_rewards" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "distribution_rewards_user" ON "distribution_rewards" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "distribution_statuses_user" ON "distribution_statuses" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "short_links_path" ON "short_links" USING btree ("user_id","path");--> statement-breakpoint
CREATE INDEX "usages_application" ON "usages" USING btree ("application_id","created_at");--> statement-breakpoint
CREATE INDEX "usages_api" ON "usages" USING btree ("user_id","api_id","created_at");--> statement-breakpoint
CREATE INDEX "usages_user" ON "usages" USING btree ("user_id","created_at","id");
--> statement-breakpoint
select protect_rows(name::regclass)
from unnest(array['usage_sums', 'distribution_rewards', 'distribution_statuses', 'short_links']) as name;
--> statement-breakpoint
-- Sums are the trigger's alone, rewards and what they add up to those of paid orders; calls are entered by workers.
revoke insert, update, delete on usage_sums, distribution_rewards, distribution_statuses from atrium_app;
--> statement-breakpoint
revoke insert on usages from atrium_app;
--> statement-breakpoint
revoke update, delete on short_links from atrium_app;
--> statement-breakpoint
-- As the owner, so that the sums belong to the transaction of the row, whoever enters it.
create function add_usage() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into usage_sums (user_id, minutes, slot, application_id, api_id, status_class, calls, deducted_amount)
  select new.user_id, minutes, date_bin(make_interval(mins => minutes), new.created_at, 'epoch'), new.application_id,
    new.api_id, new.status_code / 100, 1, new.deducted_amount
  from unnest(array[15, 60]) as minutes
  on conflict (user_id, minutes, slot, application_id, api_id, status_class) do update
  set calls = usage_sums.calls + 1, deducted_amount = usage_sums.deducted_amount + excluded.deducted_amount;
  return null;
end
$$;
--> statement-breakpoint
revoke all on function add_usage() from public;
--> statement-breakpoint
create trigger usages_add after insert on usages for each row execute function add_usage();
--> statement-breakpoint
insert into usage_sums (user_id, minutes, slot, application_id, api_id, status_class, calls, deducted_amount)
select user_id, minutes, date_bin(make_interval(mins => minutes), created_at, 'epoch'), application_id, api_id,
  status_code / 100, count(*), sum(deducted_amount)
from usages, unnest(array[15, 60]) as minutes
group by 1, 2, 3, 4, 5, 6;
