import {childrenOf, lastShownAfter, lastShownOf, versionsOf, type MessageNode} from './message-tree.ts'

/** Deleted messages, those that follow them, and the path that is current then. */
export type Removal = {
  deleted: MessageNode[]
  moved: MessageNode[]
  /** The moved ones follow it; without it the message before the deleted one. */
  behind: MessageNode | undefined
  path: MessageNode[]
}

const answersOf = (nodes: readonly MessageNode[], question: MessageNode | undefined) =>
  question?.role === 'user' ? childrenOf(nodes, question.id).filter(({role}) => role === 'assistant') : []

/**
 * The version that takes the room of a deleted one: the one before it, else the one after it. The answers of a question
 * were given to its words: where they have to stay, they go to a version that has none, since its text was changed
 * without asking again.
 */
function nextTo(nodes: readonly MessageNode[], target: MessageNode): MessageNode | undefined {
  const versions = versionsOf(nodes, target)
  const index = versions.indexOf(target)
  const others = [...versions.slice(0, index).reverse(), ...versions.slice(index + 1)]
  const hasAnswers = answersOf(nodes, target).length > 0
  return others.find((each) => hasAnswers && each.role === 'user' && answersOf(nodes, each).length === 0) ?? others[0]
}

/**
 * Deletes one message. A version of a question takes its answers along where the version that is shown instead has its
 * own. All else that follows stays, behind that version or its answer, or else behind the message before.
 */
export function planRemoval(nodes: readonly MessageNode[], target: MessageNode): Removal {
  const other = nextTo(nodes, target)
  const answers = answersOf(nodes, target)
  const ownAnswer = answers.length === 0 ? undefined : lastShownOf(answersOf(nodes, other))
  const deletedNodes = [target, ...(ownAnswer === undefined ? [] : answers)]
  const deletedIds = new Set(deletedNodes.map(({id}) => id))
  const movedNodes = nodes.filter(({id, parentId}) => !deletedIds.has(id) && deletedIds.has(parentId ?? ''))
  const behind = ownAnswer ?? other
  const current = nodes.filter(({id, isCurrent}) => isCurrent && !deletedIds.has(id))
  const before = current.filter(({position}) => position < target.position)
  const after = current.filter(({position}) => position > target.position)
  const next = [other, ownAnswer].flatMap((node) => node ?? [])
  const rest = after.length > 0 || behind === undefined ? after : lastShownAfter(nodes, behind.id)
  const path = target.isCurrent ? [...before, ...next, ...rest] : current
  return {deleted: deletedNodes, moved: movedNodes, behind, path}
}
