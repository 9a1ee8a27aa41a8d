import {useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useCallback, useMemo, useState} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle, lastQuestionTitle} from '#domain/conversation-title.ts'
import {mostEnded, readEnded, type EndedTask} from '#domain/ended-task.ts'
import {isSameData} from '#domain/same-data.ts'
import {TaskTray, type TrayLine} from '#features/media/tray/task-tray.tsx'
import {tools} from '#features/shell/tools.ts'
import {chooseModel, groupOfModel} from '#features/chat/model-catalogue.ts'
import {selectAnswering, selectItems, selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSubmission} from '#machines/task-requests/task-requests.selectors.ts'
import {selectEnded, selectTray} from '#machines/tasks/tasks.selectors.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useAppActor, useSessionActor} from '../actors.context.tsx'

const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
const trayOf = (snapshot: TasksSnapshot | undefined) => (snapshot === undefined ? undefined : selectTray(snapshot))
const endedOf = (snapshot: TasksSnapshot | undefined) => (snapshot === undefined ? undefined : selectEnded(snapshot))
const itemsOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectItems(snapshot)
const answeringOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectAnswering(snapshot)
const unreadOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectUnread(snapshot)

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
  return useCallback(
    (tool: string, id: string) => {
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
    },
    [media, notices, onGo],
  )
}

/** The list of tasks with the actors of the session: running work of every tool and chat, and the last ends. */
export function TrayZone({onClose}: {onClose: () => void}) {
  const text = useText()
  const navigate = useNavigate()
  const {media, chat} = useAppInfo()
  const go = useCallback(
    (href: string) => {
      onClose()
      void navigate({href})
    },
    [onClose, navigate],
  )
  const retry = useRetry(go)
  const tasks = useSessionActor('tasks')
  const conversations = useSessionActor('conversations')
  const tray = useSelector(tasks, trayOf, isSameData)
  const endedTasks = useSelector(tasks, endedOf, isSameData)
  const [storedEnds] = useState(() => new Map([...media.storedEnds()].map(([tool, ends]) => [tool, readEnded(ends)])))
  const items = useSelector(conversations, itemsOf)
  const answering = useSelector(conversations, answeringOf, isSameData)
  const unread = useSelector(conversations, unreadOf)
  const servedModels = useSelector(useSessionActor('provisioning/chat'), selectServedModels)

  const chatLine = useCallback(
    (record: ConversationRecord, state: TrayLine['state']): TrayLine => {
      const {key, id, model} = record
      const group = groupOfModel(model, servedModels)
      const href = chat.navigation.href({group, conversation: id ?? key})
      const askAgain = () => {
        // its model is not served any more: the thread says so, and offers others
        if (chooseModel(group, servedModels, model).chosen?.disabled !== undefined) go(href)
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
    },
    [servedModels, chat, text, conversations, go],
  )
  const active = useMemo(() => {
    const ofTools = (tray ?? []).map(({tool, key, id, traceId, state, prompt, reading, at}): TrayLine => ({
      key,
      tool: nameOf(tool),
      prompt,
      state,
      progress: reading.progress,
      at,
      id,
      traceId,
      href: hrefOf(tool, id ?? key),
      onRetry: waitingStates.has(state)
        ? () => {
            const requests = media.list(tool)?.getSnapshot().children.requests?.getSnapshot()
            if (requests !== undefined) selectSubmission(requests, key)?.send({type: 'submission.retry'})
          }
        : undefined,
      onCheck:
        state === 'lost' || state === 'gone'
          ? () => media.list(tool)?.send({type: 'task.check', ...(state === 'gone' && id !== undefined ? {id} : {})})
          : undefined,
    }))
    const ofChats = (items ?? [])
      .filter(({key}) => answering?.includes(key) === true)
      .map((record) => chatLine(record, 'running'))
    return [...ofTools, ...ofChats].sort((one, other) => other.at - one.at)
  }, [tray, answering, items, chatLine, media])

  const recent = useMemo(() => {
    // the report of a running list is newer than its stored tasks
    const ofTools = new Map([...storedEnds, ...Object.entries(endedTasks ?? {})])
    return [
      ...endedChats(items ?? [], unread ?? [])
        .filter(({key}) => answering?.includes(key) !== true)
        .map((record) => chatLine(record, endOf(record))),
      ...[...ofTools].flatMap(([tool, ends]) => ends.map((each) => recentLine(tool, each, () => retry(tool, each.id)))),
    ]
      .sort((one, other) => other.at - one.at)
      .slice(0, mostEnded)
  }, [storedEnds, endedTasks, items, unread, answering, chatLine, retry])
  // the session is not open yet: an empty list would be a guess
  return <TaskTray active={active} recent={recent} isLoading={items === undefined} now={media.now} onGo={go} />
}
