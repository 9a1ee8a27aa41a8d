-- expand
CREATE TABLE "favourite_models" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"marks" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "favourite_models" ADD CONSTRAINT "favourite_models_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- safe: the table is new, and it gets what every table has
select protect_rows('favourite_models'::regclass);
