-- expand
-- safe: writers of the table wait while it is built, about a second for a million rows; docs/upgrading.md says how to build it before without that
CREATE INDEX IF NOT EXISTS "answers_finished" ON "answers" USING btree ("finished_at","id");
--> statement-breakpoint
-- safe: as above
CREATE INDEX IF NOT EXISTS "conversations_part" ON "conversations" USING btree ("updated_at") WHERE import_left is not null;
--> statement-breakpoint
-- safe: as above
CREATE INDEX IF NOT EXISTS "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");
