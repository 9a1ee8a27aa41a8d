ALTER TABLE "conversations" ADD COLUMN "import_source" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "import_id" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "import_bytes" integer;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "import_left" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_import" ON "conversations" USING btree ("user_id","import_source","import_id") WHERE import_source is not null;