-- expand
ALTER TABLE "orders" ADD COLUMN "processing_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "surplus_reason" text;