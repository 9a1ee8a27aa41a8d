import {Link} from '@tanstack/react-router'
import {useActor, useSelector} from '@xstate/react'
import {useState, type ReactNode} from 'react'
import {fromPromise} from 'xstate'
import {createDistributionApi} from '#api/distribution.ts'
import {inviteLink} from '#domain/invite-link.ts'
import {ConsolePage} from '#features/console/console-page.tsx'
import {PriceText} from '#features/console/price-text.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {shortLinkMachine} from '#machines/short-link/short-link.machine.ts'
import {segmentedClass} from '#ui/segmented-class.ts'
import {useText, type MessageId} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {usePriceCurrency} from '../console/use-price-currency.ts'

const tabs = [
  {to: '/distribution', label: 'distribution.overview'},
  {to: '/distribution/history', label: 'index.rewards'},
  {to: '/distribution/invitees', label: 'index.invitees'},
] as const satisfies readonly {to: string; label: MessageId}[]

/** Frame of the pages of the referral programme: overview, rewards, people (design/screens §10). */
export function ReferralPage({title, children}: {title: MessageId; children: ReactNode}) {
  const text = useText()
  return (
    <ConsolePage
      title={text(title)}
      tools={
        <nav className={segmentedClass.frame} aria-label={text('distribution.pages')}>
          {tabs.map(({to, label}) => (
            <Link
              key={to}
              to={to}
              className={segmentedClass.option}
              activeOptions={{exact: true, includeSearch: false}}
              activeProps={{'aria-current': 'page'}}
            >
              {text(label)}
            </Link>
          ))}
        </nav>
      }
    >
      {children}
    </ConsolePage>
  )
}

/** The link of the signed-in user to this site, short where the server can do that. */
export function useInviteLink() {
  const {services} = useAppInfo()
  const environment = useAppActor('environment')
  const userId = useSelector(useAppActor('auth'), selectUser)?.id ?? ''
  const [logic] = useState(() =>
    shortLinkMachine.provide({
      actors: {
        shortenLink: fromPromise<string, {address: string}>(({input, signal}) =>
          services.client(createDistributionApi).shortLink(input.address, signal),
        ),
      },
    }),
  )
  // routes of the referral programme have a user (requireLoginAndWords)
  const [input] = useState(() => ({address: inviteLink(location.origin, userId), environment}))
  const [snapshot, send] = useActor(logic, {input})
  return {snapshot, send}
}

/** Amounts in the user's currency, and exactly as they are booked. */
export function usePrice() {
  const money = usePriceCurrency()
  return (usd: number) => <PriceText usd={usd} showsBase {...money} />
}
