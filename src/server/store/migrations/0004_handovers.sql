CREATE TABLE "login_handovers" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "login_handovers" ADD CONSTRAINT "login_handovers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
select protect_rows('login_handovers');
--> statement-breakpoint
-- Made and spent by sign-in only.
revoke insert, update, delete on login_handovers from atrium_app;
