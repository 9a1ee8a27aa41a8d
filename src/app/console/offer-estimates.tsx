import {useSelector} from '@xstate/react'
import {createUsageApi} from '#api/usage.ts'
import type {Application} from '#contract/management.ts'
import type {Package} from '#contract/packages.ts'
import type {ServiceApi} from '#contract/usage.ts'
import {Estimates} from '#features/console/estimates.tsx'
import type {PriceCurrency} from '#features/console/price-text.tsx'
import {selectSite} from '#machines/site/site.selectors.ts'
import {Problem} from '#ui/problem.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {isServiceOffered} from './offered-services.ts'
import {useAddressList} from './use-address-list.ts'

type OfferEstimatesProps = {application: Application; offer: Package; money: PriceCurrency}

/** Says how much a package buys of the application's service; the general application pays for every service. */
export function OfferEstimates({application: {service_id: serviceId}, offer, money}: OfferEstimatesProps) {
  const text = useText()
  const {services} = useAppInfo()
  const {snapshot, send} = useAddressList<ServiceApi>({
    keys: [],
    read: async (_, signal) => {
      const usage = services.client(createUsageApi)
      const page = {limit: 100, ordering: 'title'}
      const {items, count} = await (serviceId == null
        ? usage.apis(page, signal)
        : usage.apisOf(serviceId, page, signal))
      return {items, total: count}
    },
  })
  const site = useSelector(useAppActor('site'), selectSite)
  const {shown, failure} = snapshot.context
  if (shown !== undefined) {
    const apis = shown.items.filter(({service_id: id}) => isServiceOffered(site?.features, id))
    return <Estimates apis={apis} offer={offer} money={money} />
  }
  if (failure === undefined || snapshot.hasTag('loading')) return null
  return <Problem onRetry={() => send({type: 'list.refresh'})}>{text('order.buysFailed')}</Problem>
}
