-- expand
CREATE TABLE "build_files" (
	"path" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "build_files_seen" ON "build_files" USING btree ("seen_at");
--> statement-breakpoint
-- safe: the table is new, and it gets what every table has
select protect_shared('build_files');
