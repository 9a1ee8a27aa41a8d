import type {ActionSubject} from '#contract/media/media-screen.ts'
import type {ToolRequest} from '#contract/media/media-tool.ts'
import type {AnyAction, AnyForm, AnyScreen} from './any-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {ViewerItem} from './viewer/viewer-items.ts'

/** One thing to do with a result: it fills the form, or it is sent at once and has a price. */
export type OfferedAction = {
  action: AnyAction
  /** The request that would be sent. */
  submission: ToolRequest | undefined
}
export type ActionGroup = {label: string | undefined; actions: OfferedAction[]}

/** One of the results of a card, if it has as many. */
export function resultAt(card: Card, index: number): ViewerItem | undefined {
  const artifact = card.reading.artifacts[index]
  return artifact === undefined ? undefined : {card, index, artifact}
}

export const subjectOf = ({card, index, artifact}: ViewerItem): ActionSubject => ({
  artifact,
  index,
  reading: card.reading,
  request: card.request,
})

/** The actions on this result, under the headings of the tool, in its order. */
export function actionGroups(screen: AnyScreen, subject: ActionSubject, form: AnyForm): ActionGroup[] {
  const actions = subject.reading.actions
  const groups: ActionGroup[] = []
  for (const action of screen.actions) {
    if (action.medium !== subject.artifact.medium) continue
    if (actions !== undefined && !actions.includes(action.id)) continue
    if (action.when?.(subject) === false) continue
    const offer: OfferedAction = {
      action,
      submission: 'send' in action ? action.send(subject, form) : undefined,
    }
    const group = groups.find(({label}) => label === action.group)
    if (group === undefined) groups.push({label: action.group, actions: [offer]})
    else group.actions.push(offer)
  }
  return groups
}

/** The actions that were requested before. `requests`: by the results that they name. */
export const usedAmong = (
  offers: readonly OfferedAction[],
  requests: ReadonlyMap<unknown, readonly AnyForm[]>,
): ReadonlySet<OfferedAction> =>
  new Set(
    offers.filter(({submission}) => {
      const body = submission?.body ?? {}
      return sourcesOf(body).some((key) => requests.get(body[key])?.some((request) => isSameWork(body, request)))
    }),
  )

/** The keys of a request that name the results it works on. */
export const sourcesOf = (body: AnyForm): string[] => Object.keys(body).filter((key) => key.endsWith('_id'))

/**
 * The work was asked for before: the same action on the same results, whatever the settings beside it. What names no
 * result is new each time.
 */
export function isSameWork(body: AnyForm, request: AnyForm): boolean {
  const sources = sourcesOf(body)
  return (
    sources.length > 0 && body.action === request.action && sources.every((source) => body[source] === request[source])
  )
}
