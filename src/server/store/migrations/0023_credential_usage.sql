-- What each key has used so far, of its usage rows; from now on `insertUsage` adds to it. One pass over `usages`, without an index:
-- a minute or so where there are tens of millions of rows, once, while the server starts.
update credentials set used_amount = used.amount
from (
  select credential_id, sum(deducted_amount) as amount from usages where credential_id is not null group by credential_id
) used
where used.credential_id = credentials.id;
