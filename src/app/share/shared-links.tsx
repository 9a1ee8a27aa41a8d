import {ShareList} from '#features/share/share-list.tsx'
import {Problem} from '#ui/problem.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {shareAddress, useShareLinks} from './use-share-links.ts'

/** All links that the user made to copies of conversations. */
export function SharedLinks() {
  const text = useText()
  const {snapshot, send} = useShareLinks(undefined)
  if (snapshot.matches('loading')) return <Skeleton blockSize={60} />
  if (snapshot.matches('failed'))
    return <Problem onRetry={() => send({type: 'links.load'})}>{text('share.loadFailed')}</Problem>
  if (snapshot.context.links.length === 0 && snapshot.context.failure === undefined) return <p>{text('share.none')}</p>
  return <ShareList snapshot={snapshot} send={send} label={text('share.links')} addressOf={shareAddress} titled />
}
