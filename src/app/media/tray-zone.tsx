import {useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useCallback, useMemo} from 'react'
import type {Artifact} from '#contract/media/media-tool.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {sameAgain} from '#features/media/same-again.ts'
import {TaskTray, type TrayLine} from '#features/media/tray/task-tray.tsx'
import {tools} from '#features/shell/tools.ts'
import {conversationTitle} from '#features/chat/conversation-sections.ts'
import {groupOfModel} from '#features/chat/model-catalogue.ts'
import {selectAnswering, selectItems, selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import type {ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {promptOf, traceOf} from '#machines/tasks/tasks.rules.ts'
import {selectTray} from '#machines/tasks/tasks.selectors.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import type {TaskRecord} from '#machines/tasks/tasks.types.ts'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useAppActor, useSessionActor} from '../actors.context.tsx'

/** How many of the last ones are listed (design.md §10). */
const mostRecent = 5

const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
const trayOf = (snapshot: TasksSnapshot | undefined) => (snapshot === undefined ? undefined : selectTray(snapshot))
const itemsOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectItems(snapshot)
const noModels: ReturnType<typeof selectServedModels> = []
const servedOf = (snapshot: ProvisioningSnapshot | undefined) =>
  snapshot === undefined ? noModels : selectServedModels(snapshot)
const answeringOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectAnswering(snapshot)
const unreadOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectUnread(snapshot)

/** A small picture of a result: its poster, else the result itself where it is something to look at. */
function previewOf(artifact: Artifact | undefined): TrayLine['preview'] {
  if (artifact?.previewUrl !== undefined) return {medium: 'image', url: artifact.previewUrl}
  if (artifact?.url === undefined || (artifact.medium !== 'image' && artifact.medium !== 'video')) return undefined
  return {medium: artifact.medium, url: artifact.url}
}

const endOf = ({messages}: ConversationRecord) => (messages.at(-1)?.state === 'failed' ? 'failed' : 'succeeded')

/** Chats whose answer failed, or ended unseen: what was answered and seen is no news. */
const endedChats = (items: readonly ConversationRecord[], unread: readonly string[]) =>
  items.filter(({key, messages}) => {
    const last = messages.at(-1)
    return unread.includes(key) || (last?.state === 'failed' && last.outcome !== 'stopped')
  })

/** The card of a task on the page of its tool. */
const hrefOf = (tool: string, task: string) => `/${tool}#${task}`

function recentLine(tool: string, {task, status, reading}: TaskRecord, onRetry: () => void): TrayLine {
  const [first] = reading.artifacts
  const preview = previewOf(first)
  return {
    key: task.id,
    tool: nameOf(tool),
    prompt: promptOf(task.request),
    state: status,
    at: task.created_at,
    id: task.id,
    traceId: traceOf(task),
    href: hrefOf(tool, task.id),
    ...(status === 'failed' ? {onRetry} : {}),
    ...(preview === undefined ? {} : {preview}),
  }
}

const waitingStates = new Set<TrayLine['state']>(['rejected', 'unsure', 'usedUp'])

/** Sends failed tasks again, as the button of their card does: the list takes a second press for the same. */
function useRetry(onGo: (href: string) => void) {
  const {media} = useAppInfo()
  const notices = useAppActor('notices')
  return useCallback(
    (tool: string, {task}: TaskRecord) => {
      const retry = async () => {
        const {tool: rules, actors} = await media.open(tool)
        const submission = sameAgain(rules, {request: task.request ?? {}, type: task.type ?? undefined})
        // no operation takes it as it was: its card offers to change it first
        if (submission === undefined) onGo(hrefOf(tool, task.id))
        else {
          const intent = {key: media.newKey(), tool, submission, at: media.now()}
          const from = actors.list.getSnapshot().context.keys[task.id] ?? task.id
          actors.list.send({type: 'task.submit', from, intent})
        }
      }
      retry().catch(() =>
        notices.send({
          type: 'notice.show',
          notice: {id: media.newKey(), kind: 'error', textId: 'common.mediaOpenFailed', values: {tool: nameOf(tool)}},
        }),
      )
    },
    [media, notices, onGo],
  )
}

/** The list of tasks with the actors of the session: what runs in every tool and chat, and what ended last. */
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
  const tray = useSelector(tasks, trayOf)
  const items = useSelector(conversations, itemsOf)
  const answering = useSelector(conversations, answeringOf)
  const unread = useSelector(conversations, unreadOf)
  const served = useSelector(useSessionActor('provisioning/chat'), servedOf)

  const chatLine = useCallback(
    (record: ConversationRecord, state: TrayLine['state']): TrayLine => ({
      key: `chat/${record.key}`,
      tool: text('index.chat'),
      prompt: conversationTitle(record),
      state,
      at: record.updatedAt,
      href: chat.navigation.href({group: groupOfModel(record.model, served), conversation: record.id ?? record.key}),
    }),
    [served, chat, text],
  )
  const active = useMemo(() => {
    const ofTools = (tray ?? []).map(({tool, key, id, traceId, state, prompt, progress, at}): TrayLine => ({
      key,
      tool: nameOf(tool),
      prompt,
      state,
      progress,
      at,
      id,
      traceId,
      href: hrefOf(tool, id ?? key),
      onRetry: waitingStates.has(state) ? () => media.list(tool)?.send({type: 'submission.retry', key}) : undefined,
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

  const recent = useMemo(
    () =>
      [
        ...endedChats(items ?? [], unread ?? [])
          .filter(({key}) => answering?.includes(key) !== true)
          .map((record) => chatLine(record, endOf(record))),
        ...(tasks?.getSnapshot().context.tools ?? []).flatMap(({ref}) =>
          (media.list(ref.tool)?.getSnapshot().context.items ?? [])
            .filter(({status}) => status === 'succeeded' || status === 'failed')
            .slice(-mostRecent)
            .map((record) => recentLine(ref.tool, record, () => retry(ref.tool, record))),
        ),
      ]
        .sort((one, other) => other.at - one.at)
        .slice(0, mostRecent),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what ended last changes when something leaves the tray
    [tasks, tray, items, unread, answering, chatLine, media, retry],
  )
  return <TaskTray active={active} recent={recent} now={media.now} onGo={go} />
}
