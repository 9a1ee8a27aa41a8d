import {useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useState} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle, shortQuestion} from '#domain/conversation-title.ts'
import {mostEnded, readEnded, type EndedTask} from '#domain/ended-task.ts'
import {isSameData} from '#domain/same-data.ts'
import {TaskTray, type TrayLine} from '#features/media/tray/task-tray.tsx'
import {tools} from '#features/shell/tools.ts'
import {chooseModel, groupOfModel} from '#features/chat/model-catalogue.ts'
import {selectAnswering, selectItems, selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {selectSubmission} from '#machines/task-requests/task-requests.selectors.ts'
import {selectEnded, selectTray} from '#machines/tasks/tasks.selectors.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useAppActor, useSessionActor} from '../actors.context.tsx'

const lastQuestionTitle = ({messages}: Pick<ConversationRecord, 'messages'>) =>
  shortQuestion(messages.findLast(({role}) => role === 'user'))

const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id

const endOf = ({messages}: ConversationRecord) => (messages.at(-1)?.state === 'failed' ? 'failed' : 'succeeded')

/** Chats with an answer that failed or has not been seen. */
const endedChats = (items: readonly ConversationRecord[], unread: readonly string[]) =>
  items.filter(({key, messages}) => {
    const last = messages.at(-1)
    return unread.includes(key) || (last?.state === 'failed' && last.outcome !== 'stopped')
  })

/** The card of a task on the page of its tool. */
const hrefOf = (tool: string, task: string) => `/${tool}#${task}`

const recentLine = (tool: string, {status, endedAt, ...endedTask}: EndedTask, onRetry: () => void): TrayLine => ({
  ...endedTask,
  key: endedTask.id,
  tool: nameOf(tool),
  state: status,
  at: endedAt,
  href: hrefOf(tool, endedTask.id),
  ...(status === 'failed' ? {onRetry} : {}),
})

const waitingStates = new Set<TrayLine['state']>(['rejected', 'unsure', 'usedUp'])

/** Sends failed tasks again, as the button of their card does. */
function useRetry(onGo: (href: string) => void) {
  const {media} = useAppInfo()
  const notices = useAppActor('notices')
  return (tool: string, id: string) => {
    media.repeat(tool, id).then(
      (isRepeated) => {
        // no operation takes it as it was: its card offers to change it first
        if (!isRepeated) onGo(hrefOf(tool, id))
      },
      () =>
        notices.send({
          type: 'notice.show',
          notice: {id: media.newKey(), kind: 'error', textId: 'common.mediaOpenFailed', values: {tool: nameOf(tool)}},
        }),
    )
  }
}

/** How a conversation stands in the list. */
type ChatLine = (record: ConversationRecord, state: TrayLine['state']) => TrayLine

/** Lines of conversations: those that failed can be asked again. */
function useChatLine(conversations: ConversationListActor | undefined, onGo: (href: string) => void): ChatLine {
  const text = useText()
  const {chat} = useAppInfo()
  const servedModels = useSelector(useSessionActor('provisioning/chat'), selectServedModels)
  return (record, state) => {
    const {key, id, model} = record
    const group = groupOfModel(model, servedModels)
    const href = chat.navigation.href({group, conversation: id ?? key})
    const askAgain = () => {
      // its model is not served any more: the thread says so, and offers others
      if (chooseModel(group, servedModels, model).chosen?.disabled !== undefined) onGo(href)
      else conversations?.send({type: 'conversation.retry', key, requestKey: chat.newKey(), at: chat.now()})
    }
    return {
      key: `chat/${key}`,
      tool: text('index.chat'),
      prompt: state === 'failed' ? lastQuestionTitle(record) : conversationTitle(record),
      state,
      at: record.updatedAt,
      href,
      onRetry: state === 'failed' ? askAgain : undefined,
    }
  }
}

/** A task that runs or waits for the user. */
function taskLine(
  {tool, key, id, traceId, state, prompt, reading, at}: Card,
  list: (tool: string) => TaskListActor | undefined,
): TrayLine {
  const retry = () => {
    const requests = list(tool)?.getSnapshot().children.requests?.getSnapshot()
    if (requests !== undefined) selectSubmission(requests, key)?.send({type: 'submission.retry'})
  }
  const check = () => list(tool)?.send({type: 'task.check', ...(state === 'gone' && id !== undefined ? {id} : {})})
  return {
    key,
    tool: nameOf(tool),
    prompt,
    state,
    progress: reading.progress,
    at,
    id,
    traceId,
    href: hrefOf(tool, id ?? key),
    onRetry: waitingStates.has(state) ? retry : undefined,
    onCheck: state === 'lost' || state === 'gone' ? check : undefined,
  }
}

/** The last ends of tasks, each tool's by its name. */
function useEnds(tasks: TasksActor | undefined): [tool: string, ends: readonly EndedTask[]][] {
  const {media} = useAppInfo()
  const [storedEnds] = useState(() => [...media.storedEnds()].map(([tool, ends]) => [tool, readEnded(ends)] as const))
  const endedTasks = useSelector(tasks, (snapshot) => snapshot && selectEnded(snapshot), isSameData)
  // the report of a running list is newer than its stored tasks
  return [...new Map([...storedEnds, ...Object.entries(endedTasks ?? {})])]
}

const newestFirst = (lines: TrayLine[]) => lines.sort((one, other) => other.at - one.at)

/** The list of tasks with the actors of the session: running work of every tool and chat, and the last ends. */
export function TrayZone({onClose}: {onClose: () => void}) {
  const navigate = useNavigate()
  const {media} = useAppInfo()
  const go = (href: string) => {
    onClose()
    void navigate({href})
  }
  const retry = useRetry(go)
  const tasks = useSessionActor('tasks')
  const conversations = useSessionActor('conversations')
  const chatLine = useChatLine(conversations, go)
  const ends = useEnds(tasks)
  const running = useSelector(tasks, (snapshot) => snapshot && selectTray(snapshot), isSameData) ?? []
  const items = useSelector(conversations, (snapshot) => snapshot && selectItems(snapshot))
  const answering = useSelector(conversations, (snapshot) => snapshot && selectAnswering(snapshot), isSameData)
  const unread = useSelector(conversations, (snapshot) => snapshot && selectUnread(snapshot))
  const isAnswering = ({key}: ConversationRecord) => answering?.includes(key) === true
  const active = newestFirst([
    ...running.map((task) => taskLine(task, media.list)),
    ...(items ?? []).filter(isAnswering).map((record) => chatLine(record, 'running')),
  ])
  const recent = newestFirst([
    ...endedChats(items ?? [], unread ?? [])
      .filter((record) => !isAnswering(record))
      .map((record) => chatLine(record, endOf(record))),
    ...ends.flatMap(([tool, records]) => records.map((each) => recentLine(tool, each, () => retry(tool, each.id)))),
  ]).slice(0, mostEnded)
  // the session is not open yet: an empty list would be a guess
  return <TaskTray active={active} recent={recent} isLoading={items === undefined} now={media.now} onGo={go} />
}
