CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"state" text DEFAULT 'Pending' NOT NULL,
	"description" text,
	"price" integer NOT NULL,
	"items" jsonb NOT NULL,
	"application_ids" uuid[] NOT NULL,
	"package_ids" uuid[] NOT NULL,
	"pay_way" text,
	"overdue" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "orders_price" CHECK ("orders"."price" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"way" text NOT NULL,
	"state" text DEFAULT 'opening' NOT NULL,
	"amount" integer NOT NULL,
	"reference" text,
	"url" text,
	"title" text NOT NULL,
	"return_url" text NOT NULL,
	"locale" text NOT NULL,
	"base_url" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_user" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_unsettled" ON "orders" USING btree ("expires_at") WHERE state in ('Pending', 'Failed', 'Paid');--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference" ON "payments" USING btree ("way","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE state in ('opening', 'open');--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_user" ON "payments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("state") WHERE state in ('opening', 'open', 'surplus');--> statement-breakpoint
select protect_rows(name::regclass) from unnest(array['orders', 'payments']) as name;
--> statement-breakpoint
-- Requests make orders and read them; what becomes of them is the payments' business, which the system does.
revoke update, delete on orders from atrium_app;
--> statement-breakpoint
revoke insert, update, delete on payments from atrium_app;
--> statement-breakpoint
create function keep_orders_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'Pending' or new.paid_at is not null or new.finished_at is not null then
      raise exception 'A new order is Pending, not %', new.state;
    end if;
    return new;
  end if;
  if (new.price, new.items, new.user_id, new.origin) is distinct from (old.price, old.items, old.user_id, old.origin) then
    raise exception 'An order keeps its price, items, owner and site';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
    ('Pending', 'Paid'), ('Pending', 'Expired'), ('Pending', 'Failed'), ('Failed', 'Paid'), ('Failed', 'Expired'),
    ('Expired', 'Paid'), ('Paid', 'Finished')
  ) then
    raise exception 'An order does not go from % to %', old.state, new.state;
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger orders_forward before insert or update on orders for each row execute function keep_orders_forward();
--> statement-breakpoint
create function keep_payments_forward() returns trigger language plpgsql as $$
begin
  if (new.amount, new.order_id, new.user_id, new.way) is distinct from (old.amount, old.order_id, old.user_id, old.way)
    or (old.reference is not null and new.reference is distinct from old.reference) then
    raise exception 'A payment keeps its amount, order, owner, way and reference';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
    ('opening', 'open'), ('opening', 'paid'), ('opening', 'declined'), ('opening', 'closed'), ('opening', 'surplus'),
    ('open', 'paid'), ('open', 'declined'), ('open', 'closed'), ('open', 'surplus'),
    ('declined', 'paid'), ('declined', 'surplus'), ('closed', 'paid'), ('closed', 'surplus'), ('surplus', 'refunded')
  ) then
    raise exception 'A payment does not go from % to %', old.state, new.state;
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger payments_forward before update on payments for each row execute function keep_payments_forward();
