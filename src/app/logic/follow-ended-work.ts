import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  selectActiveKey,
  selectAnswering,
  selectItem,
  selectUnread,
} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {loadPart} from '#ui/load-part.ts'
import {createOnce, type AppActors} from './app-actors.ts'
import type {EndedWork} from './ended-work.ts'

/** An answer that its user stopped is not reported. */
function endedAnswer(record: ConversationRecord, isOnScreen: boolean): EndedWork | undefined {
  const last = record.messages.at(-1)
  if (last?.role !== 'assistant' || last.outcome === 'stopped') return undefined
  const tag = `answer/${record.id ?? record.key}/${last.id ?? record.messages.length}`
  return {kind: 'answer', tag, title: conversationTitle(record), isFailed: last.state === 'failed', record, isOnScreen}
}

function followAnswers(list: ConversationListActor, onEnd: (end: EndedWork) => void) {
  let answering = selectAnswering(list.getSnapshot())
  list.subscribe((snapshot) => {
    const before = answering
    answering = selectAnswering(snapshot)
    for (const key of before.filter((each) => !answering.includes(each))) {
      const record = selectItem(snapshot, key)
      const end = record && endedAnswer(record, selectActiveKey(snapshot) === record.key)
      if (end !== undefined) onEnd(end)
    }
  })
}

type Ears = {
  onList: (list: ConversationListActor) => void
  /** A session begins, or ended. */
  onSession: () => void
  /** The number of conversations with an unread answer. */
  onUnread: (count: number) => void
  onEnd: (end: EndedWork) => void
  onFailure: (error: unknown) => void
}

/** Reports each session of the page, its end, and each end in it. */
export function followEndedWork(
  root: AppActor,
  actors: AppActors,
  {onList, onSession, onUnread, onEnd, onFailure}: Ears,
): void {
  const once = createOnce()
  let current: ReturnType<AppActors['session']>
  const look = () => {
    const session = actors.session()
    if (session === current) return
    current = session
    onSession()
    const lookBelow = () => {
      once(actors.conversations(), (list) => {
        onList(list)
        followAnswers(list, onEnd)
        const count = () => onUnread(selectUnread(list.getSnapshot()).length)
        count()
        list.subscribe(count)
      })
      // their code is there as soon as they are
      once(actors.tasks(), (tasks) => {
        loadPart(() => import('./follow-ended-tasks.ts')).then(
          ({followEndedTasks}) => followEndedTasks(tasks, onEnd),
          onFailure,
        )
      })
    }
    lookBelow()
    session?.subscribe(lookBelow)
  }
  look()
  root.subscribe(look)
}
