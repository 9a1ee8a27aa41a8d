import {Link, useNavigate} from '@tanstack/react-router'
import type {Order} from '#contract/orders.ts'
import {isClosed} from '#domain/order-state.ts'
import {buttonClass} from '#ui/button-class.ts'
import {PageLink} from '#ui/page-link.tsx'
import {useText} from '#ui/text.tsx'
import {returnName, returnSearch} from './use-return-path.ts'

type NextLinksProps = {order: Order; returnTo: string | undefined}

/** Where to go from an order that is over: to what it was bought for, or to another order. */
export function NextLinks({order, returnTo}: NextLinksProps) {
  const text = useText()
  const applicationId = order.application_id ?? order.application_ids?.[0]
  if (isClosed(order))
    return applicationId == null ? null : (
      <Link
        to="/console/applications/$applicationId/extra"
        params={{applicationId}}
        search={returnSearch(returnTo)}
        className={buttonClass('primary')}
      >
        {text('order.again')}
      </Link>
    )
  return (
    <>
      {returnTo === undefined ? (
        <Link to="/" className={buttonClass('primary')}>
          {text('order.startUsing')}
        </Link>
      ) : (
        <BackLink path={returnTo} />
      )}
      <Link
        to="/console/usages"
        search={applicationId == null ? {} : {application_id: applicationId}}
        className={buttonClass('outline')}
      >
        {text('application.seeUsage')}
      </Link>
    </>
  )
}

function BackLink({path}: {path: string}) {
  const text = useText()
  const navigate = useNavigate()
  const name = returnName(path)
  return (
    <PageLink
      href={path}
      onFollow={() => void navigate({href: path, replace: true})}
      className={buttonClass('primary')}
    >
      {name === undefined ? text('order.back') : text('order.backTo', {name})}
    </PageLink>
  )
}
