-- expand
CREATE TABLE "rate_limits" (
	"bucket" text PRIMARY KEY NOT NULL,
	"full_at" timestamp with time zone NOT NULL,
	"drawn" integer NOT NULL
);
--> statement-breakpoint
-- room on each page for the next version of its rows: they change with every call, and no index has to hear of it
alter table rate_limits set (fillfactor = 50);
--> statement-breakpoint
-- safe: the table is new, and it gets what every table has
select protect_shared('rate_limits');
