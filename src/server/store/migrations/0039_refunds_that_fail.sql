-- expand
ALTER TABLE "payments" ADD COLUMN "refund_state" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_reference" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "confirm_url" text;--> statement-breakpoint
-- safe: payments are few, and it is made of none of them yet
CREATE INDEX "payments_refunding" ON "payments" USING btree ("updated_at") WHERE refund_state = 'underway';