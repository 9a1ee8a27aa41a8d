ALTER TABLE "tasks" ADD COLUMN "body" jsonb;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "plan" jsonb;