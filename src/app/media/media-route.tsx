import {useLocation, useMatch, useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useEffect, useMemo, useState, type ReactNode} from 'react'
import type {Media} from '#features/media/media.context.ts'
import {MediaProvider} from '#features/media/media-provider.tsx'
import {MediaScreen} from '#features/media/media-screen.tsx'
import type {Jump} from '#features/media/feed/feed.tsx'
import {FeedSkeleton} from '#features/media/feed/feed-states.tsx'
import {enabledTools, isMediaTool, toolOfPath, type ToolEntry as ListedTool} from '#features/shell/tools.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import type {ToolActor} from '#machines/tool/tool.machine.ts'
import type {ToolPart} from '#machines/tool/tool.types.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor, useRoot, useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {firstRun} from '../shell/first-run.ts'
import {titleOf} from '../routes/static-data.ts'
import {usePage} from '../use-page.ts'
import {chatOffers} from './chat-offers.ts'
import {createMediaPorts} from './media-ports.ts'
import {useSlots} from './slots.tsx'
import {ToolSwitcher} from './tool-switcher.tsx'
import styles from './media-route.module.css'

const toolParts: readonly ToolPart[] = ['list', 'provisioning', 'form']

/** The value now, else the last one: a part that is being started again is shown as it was. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** The actor of this screen's tool. `hasFailed`: the tool could not be loaded, or a part of it broke too often. */
function useTool(tool: string) {
  const {media} = useAppInfo()
  const root = useRoot()
  const session = useSelector(root, () => media.session())
  const isDown = useSelector(session, (snapshot) => snapshot?.matches({active: {tasks: 'down'}}) === true)
  const tasks = useSessionActor('tasks')
  const actor = useSelector(tasks, () => media.tool(tool))
  const hasFailed = useSelector(actor, (snapshot) => isDown || snapshot?.hasTag('failed') === true)
  const isBroken = useSelector(actor, (snapshot) => snapshot?.hasTag('down') === true)
  // only React knows that the screen is there: each session and each restarted tool opens it again
  useEffect(() => media.open(tool), [media, tool, session, actor])
  const retry = () => {
    session?.send({type: 'child.restart', child: 'tasks'})
    for (const child of toolParts) actor?.send({type: 'child.restart', child})
    media.open(tool)
  }
  return {actor, hasFailed, isBroken, retry}
}

/** The parts that the screen of a tool works with; undefined until they are loaded. */
function useOpenedTool(tool: string, actor: ToolActor | undefined) {
  const {media} = useAppInfo()
  const root = useRoot()
  const session = useSelector(root, () => media.session())
  const generation = useLast(useSelector(actor, () => media.form(tool)))
  const list = useLast(useSelector(actor, () => media.list(tool)))
  const provisioning = useLast(useSelector(actor, () => media.provisioning(tool)))
  const selection = useSelector(actor, () => media.selection(tool))
  const player = useSelector(session, () => media.player())
  const loadedTool = media.loaded(tool)
  return useMemo(
    () =>
      loadedTool && generation && list && provisioning
        ? {...loadedTool, actors: {generation, list, ...listParts(list), provisioning, player, selection}}
        : undefined,
    [loadedTool, generation, list, provisioning, player, selection],
  )
}
type ToolOnScreen = NonNullable<ReturnType<typeof useOpenedTool>>

type OpenedToolProps = {children: (tool: ListedTool) => ReactNode}

/** A screen of the tool that the address names, once its rules and actors are there. */
export function OpenedTool({children}: OpenedToolProps) {
  // of this screen: on the way to another one, the location is ahead of it
  const pathname = useMatch({strict: false, select: (match) => match.pathname})
  const tool = toolOfPath(pathname)
  if (tool === undefined || !isMediaTool(tool)) throw new Error(`No media tool has the address ${pathname}`)
  return (
    <OpeningTool key={tool.id} tool={tool}>
      {children}
    </OpeningTool>
  )
}

function OpeningTool({tool, children}: OpenedToolProps & {tool: ListedTool}) {
  const text = useText()
  const title = titleOf(text, usePage()) ?? tool.name
  const {actor, hasFailed, isBroken, retry} = useTool(tool.id)
  const openedTool = useOpenedTool(tool.id, actor)
  if (openedTool !== undefined && !hasFailed && !isBroken)
    return <ProvidedTool opened={openedTool}>{children(tool)}</ProvidedTool>
  return (
    <div className={styles.opening}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {title}
      </h1>
      {isBroken ? (
        <ErrorState title={text('common.mediaDown', {tool: tool.name})} onRetry={retry} />
      ) : hasFailed ? (
        <ErrorState title={text('common.mediaOpenFailed', {tool: tool.name})} onRetry={retry} />
      ) : (
        <FeedSkeleton ratio={tool.group === 'video' ? 16 / 9 : 1} />
      )}
    </div>
  )
}

function ProvidedTool({opened, children}: {opened: ToolOnScreen; children: ReactNode}) {
  const info = useAppInfo()
  const navigate = useNavigate()
  const notices = useAppActor('notices')
  const site = useSelector(useAppActor('site'), selectSite)
  const servedModels = useSelector(useSessionActor('provisioning/chat'), selectServedModels)
  const ports = useMemo(
    () =>
      createMediaPorts({
        opened,
        tools: info.media,
        chat: info.chat,
        navigate: (href) => void navigate({href}),
        notify: (notice) => notices.send({type: 'notice.show', notice}),
        startSetUp: () => firstRun.setDismissed(false),
      }),
    [opened, info, navigate, notices],
  )
  const media = useMemo((): Media => {
    const allowedTools = enabledTools(site?.features)
    const enabledIds = new Set(allowedTools.map(({id}) => id))
    return {
      ...ports,
      ...opened,
      offered: opened.identities.filter(({id}) => enabledIds.has(id)),
      chats: chatOffers(allowedTools, servedModels),
    }
  }, [ports, opened, site, servedModels])
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
