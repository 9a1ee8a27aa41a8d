CREATE TABLE "task_artifacts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"service" text NOT NULL,
	"handle" text NOT NULL,
	"medium" text NOT NULL,
	"file_id" text,
	"preview_file_id" text,
	"source_url" text
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"service" text NOT NULL,
	"operation" text NOT NULL,
	"type" text,
	"application_id" uuid,
	"credential_id" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"outcome" text,
	"error" jsonb,
	"provider" text NOT NULL,
	"provider_job" text,
	"request" jsonb NOT NULL,
	"response" jsonb,
	"progress" integer DEFAULT 0 NOT NULL,
	"callback_url" text,
	"worker_id" text,
	"fence" bigint DEFAULT 0 NOT NULL,
	"held" numeric(20, 6) DEFAULT '0' NOT NULL,
	"settled" numeric(20, 6),
	"trace_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "task_id" uuid;--> statement-breakpoint
ALTER TABLE "task_artifacts" ADD CONSTRAINT "task_artifacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_artifacts" ADD CONSTRAINT "task_artifacts_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_artifacts" ADD CONSTRAINT "task_artifacts_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_artifacts" ADD CONSTRAINT "task_artifacts_preview_file_id_files_id_fk" FOREIGN KEY ("preview_file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "task_artifacts_task" ON "task_artifacts" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "task_artifacts_handle" ON "task_artifacts" USING btree ("user_id","service","handle");--> statement-breakpoint
CREATE INDEX "task_artifacts_file" ON "task_artifacts" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "task_artifacts_preview" ON "task_artifacts" USING btree ("preview_file_id");--> statement-breakpoint
CREATE INDEX "tasks_list" ON "tasks" USING btree ("user_id","service","created_at");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("state","worker_id") WHERE state in ('queued', 'running');--> statement-breakpoint
select protect_rows(name::regclass) from unnest(array['tasks', 'task_artifacts']) as name;
--> statement-breakpoint
-- What becomes of a task is written by its worker; a person starts and deletes.
revoke update on tasks, task_artifacts from atrium_app;
