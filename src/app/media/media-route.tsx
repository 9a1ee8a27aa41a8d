import {useLocation, useMatch, useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useEffect, useMemo, useState, type ReactNode} from 'react'
import {isSameData} from '#domain/same-data.ts'
import {MediaProvider, type Media} from '#features/media/media.context.tsx'
import {MediaScreen} from '#features/media/media-screen.tsx'
import type {Jump} from '#features/media/feed/feed.tsx'
import {FeedSkeleton} from '#features/media/feed/feed-states.tsx'
import {enabledTools, isMediaTool, toolOfPath, type MediaTool as ListedTool} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import type {TasksActor, TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import {selectIsDown} from '#machines/tasks/tasks.selectors.ts'
import {formId, taskListId, toolProvisioningId, type ToolPart} from '#machines/tasks/tasks.types.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor, useRoot, useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {firstRun} from '../shell/first-run.ts'
import {titleOf} from '../routes/static-data.ts'
import {usePage} from '../use-page.ts'
import {chatOffers, servedOf} from './chat-offers.ts'
import {createMediaPorts} from './media-ports.ts'
import {openMedia, type OpenMedia} from './open-media.ts'
import {useSlots} from './slots.tsx'
import {ToolSwitcher} from './tool-switcher.tsx'
import styles from './media-route.module.css'

type Asked = {tool: string; attempt: number; tasks: TasksActor | undefined}
type Opening = Asked & ({state: 'loading'} | {state: 'failed'; error: unknown} | {state: 'open'; opened: OpenMedia})

/** The tool of the page with its actors; opened again after a failure, when the user asks, or when the session is another one. */
function useOpenTool(tool: string): [Opening, () => void] {
  const {media} = useAppInfo()
  const root = useRoot()
  const isSignedIn = useSelector(root, () => media.session() !== undefined)
  const tasks = useSessionActor('tasks')
  const [attempt, setAttempt] = useState(0)
  const [opening, setOpening] = useState<Opening>({tool, attempt, tasks, state: 'loading'})
  const isCurrent = opening.tool === tool && opening.attempt === attempt && opening.tasks === tasks
  useEffect(() => {
    // the next sign-in opens it
    if (!isSignedIn) return
    const leaving = new AbortController()
    const asked = {tool, attempt, tasks}
    openMedia(media, tool, leaving.signal).then(
      (opened) => {
        if (!leaving.signal.aborted) setOpening({...asked, state: 'open', opened})
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setOpening({...asked, state: 'failed', error})
      },
    )
    return () => leaving.abort()
  }, [media, tool, attempt, isSignedIn, tasks])
  return [isCurrent ? opening : {tool, attempt, tasks, state: 'loading'}, () => setAttempt(attempt + 1)]
}

/** The actors of the tool as they are now: a part that broke is replaced. */
function useLiveTool(opened: OpenMedia): OpenMedia & Pick<Media, 'actors'> {
  const root = useRoot()
  const session = useSelector(root, () => opened.tools.session())
  const tasks = useSelector(session, () => opened.tools.tasks())
  const generation = useSelector(tasks, () => opened.tools.form(opened.identity.id))
  const list = useSelector(tasks, () => opened.tools.list(opened.identity.id))
  const provisioning = useSelector(tasks, () => opened.tools.provisioning(opened.identity.id))
  const selection = useSelector(tasks, () => opened.tools.selection(opened.identity.id))
  const player = useSelector(session, () => opened.tools.player())
  return useMemo(() => {
    const {actors} = opened
    return {
      ...opened,
      actors: {
        generation: generation ?? actors.generation,
        list: list ?? actors.list,
        ...listParts(list ?? actors.list),
        provisioning: provisioning ?? actors.provisioning,
        player,
        selection,
      },
    }
  }, [opened, generation, list, provisioning, player, selection])
}

/** Starts the parts of the tool again that broke too often to be started by themselves; undefined while none did. */
function useBrokenParts(tool: string): (() => void) | undefined {
  const tasks = useSessionActor('tasks')
  const down = useSelector(
    tasks,
    (snapshot) => [taskListId(tool), toolProvisioningId(tool), formId(tool)].filter((part) => isDown(snapshot, part)),
    isSameData,
  )
  if (down.length === 0) return undefined
  return () => {
    for (const part of down) tasks?.send({type: 'part.revive', part})
  }
}
const isDown = (snapshot: TasksSnapshot | undefined, part: ToolPart) =>
  snapshot !== undefined && selectIsDown(snapshot, part)

/** A screen of the tool that the address names, once its rules and actors are there. */
export function OpenedTool({children}: {children: (tool: ListedTool) => ReactNode}) {
  const text = useText()
  // of this screen: on the way to another one, the location is ahead of it
  const pathname = useMatch({strict: false, select: (match) => match.pathname})
  const tool = toolOfPath(pathname)
  if (tool === undefined || !isMediaTool(tool)) throw new Error(`No media tool has the address ${pathname}`)
  const title = titleOf(text, usePage()) ?? tool.name
  const [opening, retry] = useOpenTool(tool.id)
  const revive = useBrokenParts(tool.id)
  if (opening.state === 'open' && revive === undefined) {
    return (
      <ProvidedTool key={tool.id} opened={opening.opened}>
        {children(tool)}
      </ProvidedTool>
    )
  }
  return (
    <div className={styles.opening}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {title}
      </h1>
      {revive !== undefined ? (
        <ErrorState title={text('common.mediaDown', {tool: tool.name})} onRetry={revive} />
      ) : opening.state === 'failed' ? (
        <ErrorState title={text('common.mediaOpenFailed', {tool: tool.name})} onRetry={retry} />
      ) : (
        <FeedSkeleton ratio={tool.group === 'video' ? 16 / 9 : 1} />
      )}
    </div>
  )
}

function ProvidedTool({opened, children}: {opened: OpenMedia; children: ReactNode}) {
  const info = useAppInfo()
  const navigate = useNavigate()
  const notices = useAppActor('notices')
  const site = useSelector(useAppActor('site'), selectSite)
  const served = useSelector(useSessionActor('provisioning/chat'), servedOf)
  const live = useLiveTool(opened)
  const ports = useMemo(
    () =>
      createMediaPorts({
        opened,
        chat: info.chat,
        navigate: (href) => void navigate({href}),
        notify: (notice) => notices.send({type: 'notice.show', notice}),
        startSetUp: () => firstRun.setDismissed(false),
      }),
    [opened, info.chat, navigate, notices],
  )
  const media = useMemo((): Media => {
    const allowed = enabledTools(site?.features)
    const enabled = new Set(allowed.map(({id}) => id))
    return {
      ...ports,
      identity: live.identity,
      tool: live.tool,
      screen: live.screen,
      defaults: live.defaults,
      actors: live.actors,
      offered: live.identities.filter(({id}) => enabled.has(id)),
      chats: chatOffers(allowed, served),
    }
  }, [ports, live, site, served])
  return <MediaProvider media={media}>{children}</MediaProvider>
}

/** The task that the address names (`/{tool}#{id}`), another one with each visit. */
function useJump(): Jump | undefined {
  const task = useLocation({select: ({hash}) => hash})
  const visit = useLocation({select: ({state}) => state.__TSR_key})
  return useMemo(() => (task === '' ? undefined : {task, visit}), [task, visit])
}

/** `/{tool}` */
export function MediaRoute() {
  const slots = useSlots()
  const jump = useJump()
  return (
    <OpenedTool>
      {(tool) => (
        <MediaScreen slots={slots} jump={jump} switcher={(isSmall) => <ToolSwitcher tool={tool} isSmall={isSmall} />} />
      )}
    </OpenedTool>
  )
}
