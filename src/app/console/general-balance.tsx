import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {BalanceCard} from '#features/console/balance-card.tsx'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {selectApplications} from '#machines/provisioning/provisioning.selectors.ts'
import {buttonClass} from '#ui/button-class.ts'
import {useText} from '#ui/text.tsx'
import {useSessionActor} from '../actors.context.tsx'
import {useErrand} from './use-errand.ts'

/** Shows the balance of the general application, no plan, with the way to more credits; nothing while unknown. */
export function GeneralBalance() {
  const provisioning = useSessionActor('provisioning/chat')
  return provisioning === undefined ? null : <Balance provisioning={provisioning} />
}

function Balance({provisioning}: {provisioning: ProvisioningActor}) {
  const text = useText()
  const application = useSelector(provisioning, (snapshot) =>
    selectApplications(snapshot).find(({scope, type}) => scope === 'Global' && type !== 'Period'),
  )
  const errand = useErrand()
  if (application === undefined) return null
  return (
    <BalanceCard
      application={application}
      addLink={
        <Link
          to="/console/applications/$applicationId/extra"
          params={{applicationId: application.id}}
          search={errand}
          className={buttonClass('outline', 'sm')}
        >
          {text('index.extra')}
        </Link>
      }
    />
  )
}
