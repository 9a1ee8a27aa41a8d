import {useSelector} from '@xstate/react'
import {useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject} from 'react'
import {indexOfAnchor, isPositionAnchor} from '#domain/message-anchor.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectIsSettled} from '#machines/conversation/conversation.selectors.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {searchedWords} from './searched-words.ts'
import type {ThreadHandle} from './thread-view.tsx'

/**
 * Asks once for the path of a message that the address names, which stays unchosen where the server can read it so
 * (decision 172). True until the server has answered; while an answer is written, which no change may leave, nothing is
 * asked.
 *
 * @param anchor of a message that is not among those shown
 */
function useOtherVersion(
  actor: ConversationActor,
  changes: MessageChangesActor | undefined,
  anchor: string | undefined,
): boolean {
  const [settledAnchor, setSettledAnchor] = useState<string>()
  const isSettled = useSelector(actor, selectIsSettled)
  const isAsked = anchor !== undefined && anchor !== settledAnchor && isSettled && !isPositionAnchor(anchor)
  const message = isAsked ? anchor : undefined
  useEffect(() => {
    if (changes === undefined || message === undefined) return
    const settled = changes.on('change.settled', ({change}) => {
      if (change.action === 'visit' && change.message === message) setSettledAnchor(message)
    })
    changes.send({type: 'change.request', change: {action: 'visit', message}})
    return () => settled.unsubscribe()
  }, [changes, message])
  return changes !== undefined && isAsked
}

function leavePath(actor: ConversationActor): void {
  const snapshot = actor.getSnapshot()
  if (snapshot.status === 'active' && snapshot.matches('visiting')) actor.send({type: 'path.leave'})
}

/** Shows what the server has chosen once no address names a message, or no thread is there. */
function useChosenPath(actor: ConversationActor, anchor: string | undefined): void {
  useEffect(() => {
    if (!anchor) leavePath(actor)
  }, [actor, anchor])
  useEffect(() => () => leavePath(actor), [actor])
}

/**
 * Leads to the message that the address names, once for each address and for each hit of a search that is followed: at
 * once, or when the conversation gets it; one on another path is shown with that path. True while the conversation does
 * not have it.
 *
 * @param followHit leads to a hit with the field that finds the others too; false where there is no other
 */
export function useAddressedMessage(
  actor: ConversationActor,
  anchor: string | undefined,
  view: RefObject<ThreadHandle | null>,
  changes?: MessageChangesActor,
  followHit?: (query: string, row: number) => boolean,
): boolean {
  const index = useSelector(actor, ({context}) => (anchor ? indexOfAnchor(context.messages, anchor) : -1))
  const lastShown = useRef<string>(undefined)
  const words = useSyncExternalStore(searchedWords.subscribe, searchedWords.get)
  const {key, id} = actor.getSnapshot().context
  const hit = words?.anchor === anchor && [key, id].includes(words?.conversation) ? words : undefined
  useLayoutEffect(() => {
    if (index === -1 || (lastShown.current === anchor && hit === undefined)) return
    lastShown.current = anchor
    if (hit === undefined || followHit?.(hit.query, index) !== true) view.current?.showWhole(index, hit?.query)
    if (hit !== undefined) searchedWords.set(undefined)
  }, [anchor, index, view, hit, followHit])
  // another address: a message that never came is not marked at a later visit
  useEffect(
    () => () => {
      if (hit !== undefined && searchedWords.get() === hit) searchedWords.set(undefined)
    },
    [hit],
  )
  useChosenPath(actor, anchor)
  const [foundAnchor, setFoundAnchor] = useState<string>()
  if ((index !== -1 || !anchor) && anchor !== foundAnchor) setFoundAnchor(anchor)
  // where another version was chosen since, the address has done its part
  const isAway = Boolean(anchor) && index === -1 && anchor !== foundAnchor
  const isComing = useOtherVersion(actor, changes, isAway ? anchor : undefined)
  return isAway && !isComing
}
