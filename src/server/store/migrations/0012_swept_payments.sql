ALTER TABLE "orders" ADD COLUMN "swept_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "swept_at" timestamp with time zone;