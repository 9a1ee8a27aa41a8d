import {Link, useNavigate, useParams} from '@tanstack/react-router'
import {useActor} from '@xstate/react'
import {useState} from 'react'
import {createUuid} from '#api/random.ts'
import type {PackageType} from '#domain/packages.ts'
import {applicationName} from '#features/console/application-table.tsx'
import {ConsolePage} from '#features/console/console-page.tsx'
import {LoadProblem} from '#features/console/load-problem.tsx'
import {OfferForm} from '#features/console/offer-form.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {segmentedClass} from '#ui/segmented-class.ts'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createOrderCreateLogic} from './order-create.logic.ts'
import {OfferEstimates} from './offer-estimates.tsx'
import {useMissingRate, usePriceCurrency} from './use-price-currency.ts'
import {useErrand} from './use-errand.ts'

/** `/console/applications/{id}/extra` */
export function ExtraRoute() {
  const {applicationId} = useParams({from: '/shell/console/applications/$applicationId/extra'})
  return <OffersPage key={applicationId} applicationId={applicationId} type="Usage" />
}

/** `/console/applications/{id}/subscribe` */
export function SubscribeRoute() {
  const {applicationId} = useParams({from: '/shell/console/applications/$applicationId/subscribe'})
  return <OffersPage key={applicationId} applicationId={applicationId} type="Period" />
}

const offerPages = [
  ['/console/applications/$applicationId/extra', 'order.packs'],
  ['/console/applications/$applicationId/subscribe', 'order.plans'],
] as const

/** The packages for an application, and their order (design/screens §6). */
function OffersPage({applicationId, type}: {applicationId: string; type: PackageType}) {
  const text = useText()
  const navigate = useNavigate()
  const {services, capabilities} = useAppInfo()
  const money = usePriceCurrency()
  const missingRate = useMissingRate()
  const errand = useErrand()
  const environment = useAppActor('environment')
  const auth = useAppActor('auth')
  const [logic] = useState(() =>
    createOrderCreateLogic(services, {
      userId: () => selectUser(auth.getSnapshot())?.id,
      isRepeatable: capabilities.includes('orders'),
    }).provide({
      actions: {
        showOrder: (_, {id}) => void navigate({to: '/console/orders/$orderId', params: {orderId: id}, search: errand}),
      },
    }),
  )
  const [input] = useState(() => ({applicationId, type, key: createUuid(), need: errand.need, environment}))
  const [snapshot, send] = useActor(logic, {input})
  const {application, failure} = snapshot.context
  const title = text('index.extra')
  return (
    <ConsolePage
      isNarrow
      title={application === undefined ? title : text('order.addTo', {name: applicationName(text, application)})}
      back={<Link to="/console/applications">{text('index.applications')}</Link>}
      tools={
        <nav className={segmentedClass.frame} aria-label={text('order.offers')}>
          {offerPages.map(([to, label]) => (
            <Link
              key={to}
              to={to}
              params={{applicationId}}
              search={errand}
              replace
              className={segmentedClass.option}
              activeProps={{'aria-current': 'page'}}
            >
              {text(label)}
            </Link>
          ))}
        </nav>
      }
    >
      {application !== undefined ? (
        <OfferForm
          snapshot={snapshot}
          send={send}
          unit={application.service?.unit}
          money={money}
          missingRate={missingRate}
          estimates={(offer) => <OfferEstimates application={application} offer={offer} money={money} />}
        />
      ) : failure !== undefined && snapshot.matches('unavailable') ? (
        <LoadProblem failure={failure} missing="order.noApplication" onRetry={() => send({type: 'offers.load'})} />
      ) : (
        <Skeleton blockSize={260} radius="var(--r-lg)" />
      )}
    </ConsolePage>
  )
}
