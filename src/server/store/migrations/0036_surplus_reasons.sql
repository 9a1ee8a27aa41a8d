-- expand
ALTER TABLE "payments" ADD COLUMN "surplus_reason" text;