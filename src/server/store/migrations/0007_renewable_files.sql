ALTER TABLE "task_artifacts" DROP CONSTRAINT "task_artifacts_file_id_files_id_fk";
--> statement-breakpoint
ALTER TABLE "task_artifacts" DROP CONSTRAINT "task_artifacts_preview_file_id_files_id_fk";
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "stored_as" text;--> statement-breakpoint
UPDATE "files" SET "stored_as" = "id";--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "stored_as" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "former_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "task_artifacts" ADD CONSTRAINT "task_artifacts_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "task_artifacts" ADD CONSTRAINT "task_artifacts_preview_file_id_files_id_fk" FOREIGN KEY ("preview_file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE cascade;