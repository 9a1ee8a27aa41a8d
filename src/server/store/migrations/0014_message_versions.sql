DROP INDEX "messages_position";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_current" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- Until now each conversation had one path: a message follows the one of the position before it.
update messages set parent_id = before.id from (
  select id as message_id, lag(id) over (partition by conversation_id order by position) as id from messages
) as before where before.message_id = messages.id and before.id is not null;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_parent_id_messages_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_parent" ON "messages" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "messages_versions" ON "messages" USING btree ("conversation_id") WHERE not is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_position" ON "messages" USING btree ("conversation_id","position") WHERE is_current;