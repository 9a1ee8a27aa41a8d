import {useLocation, useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {Suspense, useEffect, useState, useSyncExternalStore, type ReactNode} from 'react'
import {OfflineBar} from '#features/shell/bars.tsx'
import {TabBar} from '#features/shell/rail.tsx'
import {offerCommands} from '#browser/commands.ts'
import {panelVisible, rememberTool} from '#browser/remembered-value.ts'
import {Shell, type ShellPanel} from '#features/shell/shell.tsx'
import {toolOfPath, type Tool} from '#features/shell/tools.ts'
import {PartWaits} from '#features/shell/part-waits.tsx'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {Drawer} from '#ui/drawer.tsx'
import {lazyModule, lazyView, useLazy} from '#ui/use-lazy.ts'
import {useText, type Text} from '#ui/text.tsx'
import {phone, useMediaQuery, wide} from '#ui/use-media-query.ts'
import {useAppActor, useSessionActor} from './actors.context.tsx'
import {ChatPart} from './chat/chat-zone.tsx'
import {Slot} from './media/slots.tsx'
import {titleOf} from './routes/static-data.ts'
import {AppRail} from './shell/app-rail.tsx'
import {BrokenParts} from './shell/broken-parts.tsx'
import {HeadEnd} from './shell/head-end.tsx'
import {useGroupLinks} from './shell/use-group-links.ts'
import {usePage} from './use-page.ts'

const consolePanel = lazyModule(async () => (await import('./console/console-panel.tsx')).ConsolePanel)
const Player = lazyView(async () => (await import('./media/player-zone.tsx')).PlayerZone)

/** Comes with the page: React would hold back what suspended for 300 ms, and the links would come after the content. */
function ConsolePanel() {
  const Panel = useLazy(consolePanel, true)
  return Panel && <Panel />
}

type PanelPage = {text: Text; tool: Tool | undefined; isWide: boolean; onGo: () => void}
type PanelContent = Pick<ShellPanel, 'title' | 'width' | 'content' | 'isBare'>

/** Tools have no drawer: without room for the panel, their form is docked in the page (design.md §2). */
const panelContent: Record<ShellPanel['width'], (page: PanelPage) => PanelContent | undefined> = {
  chat: ({text, onGo}) => ({title: text('index.chat'), width: 'chat', content: <ChatPart of="panel" onGo={onGo} />}),
  console: ({text}) => ({title: text('index.console'), width: 'console', content: <ConsolePanel />}),
  // named by the tool: its words may still be on their way
  tools: ({tool, isWide}) =>
    isWide && tool !== undefined
      ? {title: tool.name, width: 'tools', content: <Slot name="panel" />, isBare: true}
      : undefined,
}

/** The shell with this page's panel and head; each zone fails on its own. */
export function AppShell({children}: {children: ReactNode}) {
  const text = useText()
  const navigate = useNavigate()
  const isOnline = useSelector(useAppActor('environment'), selectIsOnline)
  const isWide = useMediaQuery(wide)
  const isShown = useSyncExternalStore(panelVisible.subscribe, panelVisible.get)
  const pathname = useLocation({select: (location) => location.pathname})
  const page = usePage()
  const site = useSelector(useAppActor('site'), selectSite)
  const entry = useLocation({select: (location) => location.state.__TSR_index})
  const [drawerEntry, setDrawerEntry] = useState<number>()

  const tool = toolOfPath(pathname)
  const toolId = tool?.id
  useEffect(() => {
    if (toolId !== undefined) rememberTool(toolId)
  }, [toolId])

  // The drawer belongs to the entry of the history where it was opened: navigation closes it, and Back does not open it
  // again. A conversation that gets its address stays in its entry.
  const isDrawerOpen = drawerEntry === entry
  if (drawerEntry !== undefined && !isDrawerOpen) setDrawerEntry(undefined)
  const toggle = () => {
    if (isWide) panelVisible.set(!panelVisible.get())
    else setDrawerEntry(isDrawerOpen ? undefined : entry)
  }
  const onGo = () => setDrawerEntry(undefined)
  const content = page.panel && panelContent[page.panel]({text, tool, isWide, onGo})
  useEffect(() =>
    offerCommands({
      ...(content && {togglePanel: toggle}),
      newChat: () => void navigate({to: toolId === 'deepseek' || toolId === 'grok' ? `/${toolId}` : '/'}),
    }),
  )

  const panel: ShellPanel | undefined = content && {
    ...content,
    content: zone('panel', pathname, content.content),
    placement: !isWide ? 'drawer' : isShown ? 'beside' : 'hidden',
    onToggle: toggle,
  }
  const head = () =>
    page.panel === 'chat' ? (
      <ChatPart of="head" />
    ) : page.fillsHead === true ? (
      <Slot name="head" />
    ) : (
      <PageName name={page.panel === 'console' ? text('index.console') : titleOf(text, page)} />
    )
  const hasPlayer = useSessionActor('player') !== undefined
  const groups = useGroupLinks(site?.features)
  return (
    <>
      <Shell
        bar={
          <>
            {!isOnline && <OfflineBar />}
            <BrokenParts />
          </>
        }
        rail={<AppRail groups={groups} section={page.section} path={pathname} />}
        tabs={<TabBar groups={groups} section={page.section} />}
        panel={panel}
        head={zone('head', pathname, head())}
        headEnd={zone(
          'balance',
          pathname,
          <HeadEnd isChat={page.panel === 'chat'} tool={tool?.group === 'chat' ? undefined : toolId} />,
        )}
        foot={zone('player', '', hasPlayer && <Player />)}
      >
        {zone('screen', pathname, children, !isOnline && <PartWaits />)}
      </Shell>
      {content !== undefined && !isWide && (
        <ZoneBoundary zone="drawer" floating resetKey={pathname}>
          <Drawer isPrepared open={isDrawerOpen} onClose={() => setDrawerEntry(undefined)} title={content.title}>
            {zone('panel', pathname, content.content)}
          </Drawer>
        </ZoneBoundary>
      )}
    </>
  )
}

/** On phones the head names the page, or the console it is part of; on wider screens the page has its own heading. */
function PageName({name}: {name: string | undefined}) {
  return useMediaQuery(phone) ? <strong>{name}</strong> : null
}

const zone = (name: string, path: string, content: ReactNode, wait?: ReactNode) => (
  <ZoneBoundary zone={name} resetKey={path}>
    <Suspense fallback={wait}>{content}</Suspense>
  </ZoneBoundary>
)
