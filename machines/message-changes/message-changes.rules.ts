import type {Failure} from '#domain/failure.ts'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'
import type {AskInBranch, Deletions, MessageChange, MessageChangesContext} from './message-changes.types.ts'

const without = (messages: readonly string[], exceptions: readonly string[]) =>
  messages.filter((message) => !exceptions.includes(message))

export const isShown = ({removing, unconfirmed, removed}: Deletions, message: string) =>
  ![...removing, ...unconfirmed, ...removed].includes(message)

const hasDeletions = ({removing, unconfirmed}: Deletions) => removing.length + unconfirmed.length > 0

/** A thread shows the conversation, or something is still to be deleted. */
export const isNeeded = (deletions: Deletions, views: number) => views > 0 || hasDeletions(deletions)

/** A branch is a copy of what the server has. */
export const copiesDeleted = (deletions: Deletions, {action}: MessageChange) =>
  (action === 'branch' || action === 'askInBranch') && hasDeletions(deletions)

/** The group in whose list the change goes on, if not in this one. */
export const groupOf = (change: MessageChange | undefined) =>
  change?.action === 'askInBranch' ? change.group : undefined

/** Deletions of this tab that wait: they may be sent once more. */
export const waiting = ({unconfirmed, elsewhere}: Deletions) => without(unconfirmed, elsewhere)

export const withResumed = (deletions: Deletions) => ({
  removing: [...deletions.removing, ...waiting(deletions)],
  unconfirmed: deletions.elsewhere,
})

export const withTakenOver = ({elsewhere}: Deletions, message: string) => ({elsewhere: without(elsewhere, [message])})

export const withSettled = ({removing, removed}: Deletions, {type, key}: RemovalSettled) => ({
  removing: without(removing, [key]),
  removed: type === 'removal.done' ? [...removed, key] : removed,
})

export const withWaiting = ({removing, unconfirmed}: Deletions, message: string) => ({
  removing: without(removing, [message]),
  unconfirmed: [...unconfirmed, message],
})

export const withRestored = ({unconfirmed, elsewhere}: Deletions, message: string) => ({
  unconfirmed: without(unconfirmed, [message]),
  elsewhere: without(elsewhere, [message]),
})

/** Deletions of messages that the conversation has no more. */
export const goneFrom = ({removing, unconfirmed}: Deletions, messages: readonly string[]) =>
  without([...removing, ...unconfirmed], messages)

export const withGone = ({removing, unconfirmed, elsewhere, removed}: Deletions, goneIds: readonly string[]) => ({
  removing: without(removing, goneIds),
  unconfirmed: without(unconfirmed, goneIds),
  elsewhere: without(elsewhere, goneIds),
  removed: [...removed, ...goneIds],
})

const isSameBranch = (one: AskInBranch, other: AskInBranch) =>
  one.message === other.message &&
  one.upTo === other.upTo &&
  one.model === other.model &&
  one.ask.question === other.ask.question &&
  String(one.ask.references) === String(other.ask.references)

/** A change that is on its way already, and need not happen twice. */
const isSameChange = (one: MessageChange, other: MessageChange) =>
  one.action === 'askInBranch' && other.action === 'askInBranch'
    ? isSameBranch(one, other)
    : one.action !== 'edit' && one.action === other.action && one.message === other.message

/** The change that is on its way, and those that follow it. */
export const requestedChanges = ({change, waiting}: Pick<MessageChangesContext, 'change' | 'waiting'>) =>
  change === undefined ? waiting : [change, ...waiting]

export const isRequested = (context: Pick<MessageChangesContext, 'change' | 'waiting'>, change: MessageChange) =>
  requestedChanges(context).some((each) => isSameChange(each, change))

/** A branch that may be there already is asked for under the same key, which finds it. */
export function withEarlierKey(unheard: readonly AskInBranch[], change: MessageChange): MessageChange {
  if (change.action !== 'askInBranch') return change
  const earlier = unheard.find((each) => isSameBranch(each, change))
  return earlier === undefined ? change : {...change, ask: earlier.ask}
}

/** The branches of which it is not known whether they were made, after this change has ended. */
export function withEnded(unheard: readonly AskInBranch[], change: MessageChange | undefined, failure?: Failure) {
  if (change?.action !== 'askInBranch') return unheard
  const others = unheard.filter((each) => !isSameBranch(each, change))
  return failure?.lost === true ? [...others, change] : others
}
