import {useSelector} from '@xstate/react'
import {CreditPill, type Balance} from '#features/shell/credit-pill.tsx'
import {type ProvisioningActor, type ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {
  selectApplication,
  selectApplications,
  selectApplicationsStatus,
  selectCredentialStatus,
} from '#machines/provisioning/provisioning.selectors.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {firstRun} from './first-run.ts'

const ApplicationChoice = lazyView(async () => (await import('./application-choice.tsx')).ApplicationChoice)

/** Content of the balance pill for a provisioning state. */
function balanceOf(snapshot: ProvisioningSnapshot): Balance {
  const application = selectApplication(snapshot)
  if (application !== undefined) {
    return {status: selectCredentialStatus(snapshot) === 'request' ? 'preparing' : 'ready', application}
  }
  const list = selectApplicationsStatus(snapshot)
  if (list === 'error') return {status: 'failed'}
  return {status: snapshot.hasTag('needsApplication') && !snapshot.hasTag('applying') ? 'none' : 'loading'}
}

/** The balance, and the choice of the paying application. */
export function Credits({provisioning}: {provisioning: ProvisioningActor}) {
  const balance = useSelector(provisioning, balanceOf, sameBalance)
  const applications = useSelector(provisioning, selectApplications)
  return (
    <CreditPill
      balance={balance}
      applications={applications}
      List={ApplicationChoice}
      onChoose={(id) => {
        const application = applications.find((candidate) => candidate.id === id)
        if (application !== undefined) provisioning.send({type: 'application.choose', application, now: Date.now()})
      }}
      onRetry={() => provisioning.send({type: 'provision.refresh'})}
      onStart={() => firstRun.setDismissed(false)}
    />
  )
}

const sameBalance = (one: Balance, other: Balance) =>
  one.status === other.status &&
  ('application' in one ? one.application : undefined) === ('application' in other ? other.application : undefined)
