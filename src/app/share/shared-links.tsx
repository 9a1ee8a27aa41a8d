import {LoadedLinks, ShareList} from '#features/share/share-list.tsx'
import {useText} from '#ui/text.tsx'
import {shareAddress, useShareLinks} from './use-share-links.ts'

/** All links that the user made to copies of conversations. */
export function SharedLinks() {
  const text = useText()
  const links = useShareLinks(undefined)
  return (
    <LoadedLinks {...links} none={text('share.none')}>
      <ShareList {...links} label={text('share.links')} addressOf={shareAddress} titled />
    </LoadedLinks>
  )
}
