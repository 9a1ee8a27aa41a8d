import {useSelector} from '@xstate/react'
import {useSyncExternalStore} from 'react'
import type {Site} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {recentTools} from '#browser/remembered-value.ts'
import {groupLinks, toolOfPath, type GroupLink} from '#features/shell/tools.ts'
import {selectIsSignedIn} from '#machines/auth/auth.selectors.ts'
import {selectIsGone} from '#machines/conversation-list/conversation-list.selectors.ts'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'

/** The last open conversation of a group, while it exists and a user is signed in. */
function useLastConversation(group: ModelGroup): string | undefined {
  const {lastConversation} = useAppInfo().chat
  const last = useSyncExternalStore(lastConversation.subscribe, () => lastConversation.read(group))
  const isSignedIn = useSelector(useAppActor('auth'), selectIsSignedIn)
  const isGone = useSelector(
    useSessionActor('conversations'),
    (snapshot) => last !== undefined && snapshot !== undefined && selectIsGone(snapshot, last),
  )
  return isSignedIn && !isGone ? last : undefined
}

/** The comparison that was left, while one of its conversations exists and a user is signed in. */
function useLastComparison(): readonly string[] | undefined {
  const {lastConversation} = useAppInfo().chat
  const names = useSyncExternalStore(lastConversation.subscribe, lastConversation.readCompared)
  const isSignedIn = useSelector(useAppActor('auth'), selectIsSignedIn)
  const isGone = useSelector(
    useSessionActor('conversations'),
    (snapshot) => snapshot !== undefined && names?.every((name) => selectIsGone(snapshot, name)) === true,
  )
  return isSignedIn && !isGone ? names : undefined
}

/** The site's groups, each with its last used tool, conversation or comparison. */
export function useGroupLinks(features: Site['features']): GroupLink[] {
  const links = groupLinks(features, useSyncExternalStore(recentTools.subscribe, recentTools.get))
  const chat = links.find(({group}) => group === 'chat')
  const tool = chat && toolOfPath(chat.path)
  const conversation = useLastConversation(tool?.group === 'chat' ? tool.id : 'chatgpt')
  const comparison = useLastComparison()
  return links.map((link) => (link.group === 'chat' ? {...link, conversation, comparison} : link))
}
