import {Link, useNavigate} from '@tanstack/react-router'
import {identities} from 'virtual:media-tools'
import type {Order} from '#contract/orders.ts'
import {isClosed, mayBePaid} from '#domain/order-state.ts'
import {tools} from '#features/shell/tools.ts'
import {buttonClass} from '#ui/button-class.ts'
import {PageLink} from '#ui/page-link.tsx'
import {useText} from '#ui/text.tsx'
import {returnName, type Errand} from './use-errand.ts'

type NextLinksProps = {order: Order; errand: Errand}

/** Whether it is a subscription, which is ordered on a page of its own. */
const isPlan = ({packages, application}: Order) =>
  packages?.some(({type}) => type === 'Period') === true || application?.type === 'Period'

/** The media tool an order was made for; none for the chat and the general balance. */
function toolOf({application}: Order) {
  const serviceId = application?.service_id ?? application?.service?.id
  const id = identities.find((identity) => identity.serviceId === serviceId)?.id
  return tools.find((tool) => tool.id === id)
}

/** Links of a finished order: to the use of the bought credits, or to another order. */
export function NextLinks({order, errand}: NextLinksProps) {
  const text = useText()
  const applicationId = order.application_id ?? order.application_ids?.[0]
  if (isClosed(order) || order.least_price != null)
    return applicationId == null ? null : (
      <Link
        to={
          isPlan(order)
            ? '/console/applications/$applicationId/subscribe'
            : '/console/applications/$applicationId/extra'
        }
        params={{applicationId}}
        search={errand}
        className={buttonClass(mayBePaid(order) ? 'outline' : 'primary')}
      >
        {text('order.again')}
      </Link>
    )
  const tool = toolOf(order)
  return (
    <>
      {errand.redirect === undefined ? (
        <Link to={tool?.path ?? '/'} className={buttonClass('primary')}>
          {tool === undefined ? text('order.startUsing') : text('order.use', {name: tool.name})}
        </Link>
      ) : (
        <BackLink path={errand.redirect} />
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
