import {Link} from '@tanstack/react-router'
import {useActor, useSelector} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createDistributionApi} from '#api/distribution.ts'
import {createUsersApi} from '#api/users.ts'
import type {DistributionStatus} from '#contract/distribution.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import {siteNameOf} from '#domain/site-name.ts'
import {InviteLink} from '#features/distribution/invite-link.tsx'
import {ReferralView} from '#features/distribution/referral-view.tsx'
import {
  referralMachine,
  selectReferral,
  selectReferralFailure,
  type ReferralFacts,
} from '#machines/referral/referral.machine.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {ReferralPage, useInviteLink, usePrice} from './referral-page.tsx'

/** More levels than anybody sets (contract/platform §3, 44). */
const mostLevels = 20

/** `/distribution` */
export function OverviewRoute() {
  const text = useText()
  const price = usePrice()
  const environment = useAppActor('environment')
  const site = useSelector(useAppActor('site'), selectSite)
  const link = useInviteLink()
  const [snapshot, send] = useActor(useReferralLogic(), {input: {environment}})
  const facts = selectReferral(snapshot)
  const failure = selectReferralFailure(snapshot)
  return (
    <ReferralPage title="index.distribution">
      <InviteLink snapshot={link.snapshot} send={link.send} siteName={siteNameOf(site?.title)} />
      {failure !== undefined && (
        <ErrorState
          title={text('distribution.loadFailed')}
          help={text(accountErrorTextId(failure))}
          onRetry={() => send({type: 'referral.refresh'})}
        />
      )}
      {facts !== undefined ? (
        <ReferralView
          {...facts}
          price={price}
          historyLink={<Link to="/distribution/history">{text('distribution.seeRewards')}</Link>}
          inviteesLink={<Link to="/distribution/invitees">{text('distribution.seeInvitees')}</Link>}
        />
      ) : (
        failure === undefined && <Skeleton blockSize={260} radius="var(--r-lg)" />
      )}
    </ReferralPage>
  )
}

/** Fills the ports of the overview: the referral API, and the number of invitees. */
function useReferralLogic() {
  const {services} = useAppInfo()
  const [logic] = useState(() => {
    const referral = services.client(createDistributionApi)
    const users = services.client(createUsersApi)
    return referralMachine.provide({
      actors: {
        readReferral: fromPromise<ReferralFacts, undefined>(async ({signal}) => {
          const [statuses, levels, invitees] = await Promise.all([
            referral.statuses({limit: 1}, signal),
            referral.levels({limit: mostLevels, ordering: 'level'}, signal),
            users.invitees({limit: 1}, signal),
          ])
          return {status: statuses.items[0], levels: levels.items, invitees: invitees.count}
        }),
        initializeStatus: fromPromise<DistributionStatus, undefined>(({signal}) => referral.initialize(signal)),
      },
    })
  })
  return logic
}
