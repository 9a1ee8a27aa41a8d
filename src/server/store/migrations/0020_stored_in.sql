ALTER TABLE "files" ADD COLUMN "stored_in" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "files_stored_as" ON "files" USING btree ("stored_as");