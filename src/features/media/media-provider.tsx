import {Suspense, useState, type ReactNode} from 'react'
import {lazyView} from '#ui/use-lazy.ts'
import {MediaContext, RenewContext, type Media, type Renewing} from './media.context.ts'

const RenewDialog = lazyView(async () => (await import('./renew-dialog.tsx')).RenewDialog)

/** Gives the screens of a tool their actors and ports; stands above panel, feed and viewer. */
export function MediaProvider({media, children}: {media: Media; children: ReactNode}) {
  const [renewing, setRenewing] = useState<Renewing>()
  return (
    <MediaContext value={media}>
      <RenewContext value={setRenewing}>{children}</RenewContext>
      <Suspense>
        {renewing !== undefined && <RenewDialog {...renewing} onClose={() => setRenewing(undefined)} />}
      </Suspense>
    </MediaContext>
  )
}
