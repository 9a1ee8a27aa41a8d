import {useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import type {Artifact} from '#contract/media/media-tool.ts'
import {TaskTray, type TrayLine} from '#features/media/tray/task-tray.tsx'
import {tools} from '#features/shell/tools.ts'
import {conversationTitle} from '#features/chat/conversation-sections.ts'
import {selectAnswering, selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {promptOf, traceOf} from '#machines/tasks/tasks.rules.ts'
import {selectTray} from '#machines/tasks/tasks.selectors.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import type {TaskRecord} from '#machines/tasks/tasks.types.ts'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useSessionActor} from '../actors.context.tsx'

/** How many of the last ones are listed (design.md §10). */
const mostRecent = 5

const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
const trayOf = (snapshot: TasksSnapshot | undefined) => (snapshot === undefined ? undefined : selectTray(snapshot))
const itemsOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectItems(snapshot)
const answeringOf = (snapshot: ConversationListSnapshot | undefined) =>
  snapshot === undefined ? undefined : selectAnswering(snapshot)

/** A small picture of a result: its poster, else the result itself where it is something to look at. */
function previewOf(artifact: Artifact | undefined): TrayLine['preview'] {
  if (artifact?.previewUrl !== undefined) return {medium: 'image', url: artifact.previewUrl}
  if (artifact?.url === undefined || (artifact.medium !== 'image' && artifact.medium !== 'video')) return undefined
  return {medium: artifact.medium, url: artifact.url}
}

function recentLine(tool: string, {task, status, reading}: TaskRecord): TrayLine {
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
    href: `/${tool}`,
    ...(preview === undefined ? {} : {preview}),
  }
}

/** The list of tasks with the actors of the session: what runs in every tool and chat, and what ended last. */
export function TrayZone({onClose}: {onClose: () => void}) {
  const text = useText()
  const navigate = useNavigate()
  const {media, chat} = useAppInfo()
  const tasks = useSessionActor('tasks')
  const conversations = useSessionActor('conversations')
  const tray = useSelector(tasks, trayOf)
  const items = useSelector(conversations, itemsOf)
  const answering = useSelector(conversations, answeringOf)

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
      href: `/${tool}`,
      onRetry:
        state === 'rejected' || state === 'unsure' || state === 'usedUp'
          ? () => media.list(tool)?.send({type: 'submission.retry', key})
          : undefined,
    }))
    const ofChats = (answering ?? []).flatMap((key): TrayLine[] => {
      const record = items?.find((each) => each.key === key)
      if (record === undefined) return []
      return [
        {
          key: `chat/${key}`,
          tool: text('index.chat'),
          prompt: conversationTitle(record),
          state: 'running',
          at: record.updatedAt,
          href: chat.navigation.href({group: 'chatgpt', conversation: record.id ?? record.key}),
        },
      ]
    })
    return [...ofTools, ...ofChats].sort((one, other) => other.at - one.at)
  }, [tray, answering, items, media, chat, text])

  const recent = useMemo(
    () =>
      (tasks?.getSnapshot().context.tools ?? [])
        .flatMap(({ref}) =>
          (media.list(ref.tool)?.getSnapshot().context.items ?? [])
            .filter(({status}) => status === 'succeeded' || status === 'failed')
            .slice(-mostRecent)
            .map((record) => recentLine(ref.tool, record)),
        )
        .sort((one, other) => other.at - one.at)
        .slice(0, mostRecent),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what ended last changes when something leaves the tray
    [tasks, tray, media],
  )
  return (
    <TaskTray
      active={active}
      recent={recent}
      now={media.now}
      onGo={(href) => {
        onClose()
        void navigate({href})
      }}
    />
  )
}
