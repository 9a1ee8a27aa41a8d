import type {TestServer} from './harness.ts'

/**
 * Everything that is wrong with the books of a user and of the rewards of their orders, as rows; the rule of each line
 * stands beside it.
 */
export async function faultsOfBooks(server: TestServer, userId: string): Promise<unknown[]> {
  const {rows} = await server.deps.database.pool.query(
    `with entries as (
       select application_id,
         coalesce(sum(amount) filter (where kind = 'grant'), 0) as granted,
         coalesce(sum(amount) filter (where kind = 'hold'), 0) as held,
         coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
         coalesce(sum(amount) filter (where kind = 'settle'), 0) as settled
       from ledger_entries where user_id = $1 group by 1
     ), lines as (
       select orders.id, orders.state, 'order:' || orders.id || ':' || (item.index - 1) as reference,
         (item.value ->> 'amount')::numeric as amount, (item.value ->> 'applicationId')::uuid as application_id
       from orders, jsonb_array_elements(orders.items) with ordinality as item(value, index) where user_id = $1
     )
     select 'balance is not what was booked' as fault, applications.id::text as what
       from applications left join entries on application_id = applications.id
       where user_id = $1 and (remaining_amount <> coalesce(granted - held + refunded, 0)
         or used_amount <> coalesce(settled, 0) or remaining_amount < 0)
     union all
     select 'a closed hold is not charge and refund', reference from ledger_entries
       where user_id = $1 and kind in ('hold', 'settle', 'refund') group by reference
       having count(*) filter (where kind <> 'hold') > 0
         and sum(case kind when 'hold' then amount else -amount end) <> 0
     union all
     select 'credits that nothing gives', entry.reference from ledger_entries as entry
       join applications on applications.id = entry.application_id
       where entry.user_id = $1 and entry.kind = 'grant' and entry.reference not like 'order:%'
         and entry.reference <> case when applications.service_id is null then 'grant:free:'
           else 'grant:service:' || applications.service_id || ':' end || entry.user_id
     union all
     select 'credits without a finished order', reference from ledger_entries
       where user_id = $1 and reference like 'order:%' and reference not in (select reference from lines where state = 'Finished')
     union all
     select 'a finished order without its credits', lines.reference from lines
       left join ledger_entries as entry on entry.reference = lines.reference and entry.kind = 'grant'
         and entry.amount = lines.amount and entry.application_id = lines.application_id
       where lines.state = 'Finished' and entry.id is null
     union all
     select 'an order that was paid by no payment, or by several', orders.id::text from orders
       where user_id = $1 and price > 0 and (state in ('Paid', 'Finished')) <>
         (select count(*) = 1 from payments where order_id = orders.id and state = 'paid' and amount = price)
     union all
     select 'money of an unpaid order', orders.id::text from orders join payments on order_id = orders.id
       where orders.user_id = $1 and orders.state not in ('Paid', 'Finished')
         and (payments.state = 'paid' or payments.state = 'surplus' and payments.surplus_reason = 'paid')
     union all
     select 'a finished order and its reward do not go together', orders.id::text from orders
       join users on users.id = orders.user_id left join distribution_rewards as reward on reward.order_id = orders.id
       where orders.user_id = $1
         and (orders.state = 'Finished' and orders.price > 0 and users.inviter_id is not null) <> (reward.id is not null)
     union all
     select 'a reward that is not what its order brings', reward.order_id::text from distribution_rewards as reward
       join orders on orders.id = reward.order_id join users on users.id = orders.user_id
       where orders.user_id = $1 and (reward.user_id <> users.inviter_id or reward.invitee_id <> users.id
         or reward.price <> orders.price / 100.0 or reward.reward <> round(reward.price * reward.percentage / 100, 6))
     union all
     select 'a status that is not the sum of its rewards', status.user_id::text from distribution_statuses as status
       left join distribution_rewards as reward on reward.user_id = status.user_id
       where status.user_id = (select inviter_id from users where id = $1)
       group by status.user_id, status.price, status.reward
       having status.price <> coalesce(sum(reward.price), 0) or status.reward <> coalesce(sum(reward.reward), 0)`,
    [userId],
  )
  return rows
}
