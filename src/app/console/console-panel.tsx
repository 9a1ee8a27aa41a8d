import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {BalanceCard} from '#features/console/balance-card.tsx'
import {ConsoleNav} from '#features/console/console-nav.tsx'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {selectApplications} from '#machines/provisioning/provisioning.selectors.ts'
import {buttonClass} from '#ui/button-class.ts'
import {useText} from '#ui/text.tsx'
import {useSessionActor} from '../actors.context.tsx'

/** The panel beside the console: its pages, and what is left of the general balance. */
export function ConsolePanel() {
  const provisioning = useSessionActor('provisioning/chat')
  return (
    <>
      <ConsoleNav />
      {provisioning !== undefined && <Balance provisioning={provisioning} />}
    </>
  )
}

function Balance({provisioning}: {provisioning: ProvisioningActor}) {
  const text = useText()
  const application = useSelector(provisioning, (snapshot) =>
    selectApplications(snapshot).find(({scope}) => scope === 'Global'),
  )
  if (application === undefined) return null
  return (
    <BalanceCard
      application={application}
      addLink={
        <Link
          to="/console/applications/$applicationId/extra"
          params={{applicationId: application.id}}
          className={buttonClass('outline', 'sm')}
        >
          {text('application.addCredits')}
        </Link>
      }
    />
  )
}
