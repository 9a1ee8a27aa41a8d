import {Suspense, useState, type ReactNode} from 'react'
import {lazyView} from '#ui/use-lazy.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {FlowContext, MediaContext, RenewContext, type Media, type Renewing} from './media.context.ts'

const RenewDialog = lazyView(async () => (await import('./renew-dialog.tsx')).RenewDialog)

/** Gives the screens of a tool their actors and ports; stands above panel, feed and viewer. */
export function MediaProvider({media, children}: {media: Media; children: ReactNode}) {
  const [renewing, setRenewing] = useState<Renewing>()
  const [examinedCard, setExaminedCard] = useState<Card>()
  const {WhatHappened} = media
  return (
    <MediaContext value={media}>
      <RenewContext value={setRenewing}>
        <FlowContext value={setExaminedCard}>{children}</FlowContext>
      </RenewContext>
      <Suspense>
        {renewing !== undefined && <RenewDialog {...renewing} onClose={() => setRenewing(undefined)} />}
        {examinedCard !== undefined && (
          <WhatHappened
            card={examinedCard}
            service={media.identity.service}
            onClose={() => setExaminedCard(undefined)}
          />
        )}
      </Suspense>
    </MediaContext>
  )
}
