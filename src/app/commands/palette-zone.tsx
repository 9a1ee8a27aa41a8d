import {useLocation, useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {use, useMemo, useState} from 'react'
import {keysOf} from '#browser/commands.ts'
import {chordOf} from '#browser/key-chord.ts'
import {recentCommands, rememberCommand} from '#browser/recent-commands.ts'
import type {CommandEntry, CommandGroup} from '#features/shell/commands/command-entry.ts'
import {CommandPalette} from '#features/shell/commands/command-palette.tsx'
import {withLatin, withMoreWords} from '#features/shell/commands/more-words.ts'
import {enabledTools, isMediaTool, toolOfPath} from '#features/shell/tools.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {selectItems, selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {SearchIcon} from '#ui/later-icons.tsx'
import {loadPart} from '#ui/load-part.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor, useRoot, useSessionActor} from '../actors.context.tsx'
import {signOut} from '../account/leave-guard.ts'
import {useIsSiteEditor} from '../account/site-access.ts'
import {useAppInfo} from '../app-info.tsx'
import {englishLabels, englishWords} from '../english-words.ts'
import {keepLoad} from '../kept-loads.ts'
import {archiveCommand} from './archive-command.tsx'
import {focusedCommands} from './focused-commands.ts'
import {otherWords} from './other-words.ts'
import {actionGroup, pageGroup, settingsGroup, toolGroup, withoutSite, type Making} from './page-commands.tsx'
import {showSearch} from './show-list.ts'
import type {taskGroup} from './task-commands.tsx'
import {useOffersImport} from './offers-import.ts'
import {usePreferences} from './preferences.ts'
import {conversationGroup, modelGroup} from './user-commands.tsx'
import {wordsOfCommands, wordsOfPage} from './words-of-page.ts'

const taskLoads = new Map<string, Promise<typeof taskGroup | undefined>>()

const readTaskCommands = async () => (await loadPart(() => import('./task-commands.tsx'))).taskGroup

/** A user without tasks loads no code of theirs; without it they are not listed. */
const loadTaskCommands = () => keepLoad(taskLoads, 'tasks', readTaskCommands, undefined)

const menuLoads = new Map<string, Promise<void>>()

async function readResultMenus() {
  const {resultMenus} = await loadPart(() => import('#features/media/feed/lazy-menu.tsx'))
  await resultMenus.load()
}

/** How the menus of a tool's cards are made, as their own buttons load it; without its code a menu is its button. */
const loadResultMenus = () => keepLoad(menuLoads, 'menus', readResultMenus, undefined)

/** A conversation is on screen, which the browser prints whole. */
const offersPrint = () => document.querySelector('[role="log"] article') !== null

/** Makes a value at first, and again each time that more has been read. */
function useMadeFrom<Made>(readCount: number, make: () => Made): Made {
  const [last, setLast] = useState(() => ({readCount, made: make()}))
  if (readCount > last.readCount) setLast({readCount, made: make()})
  return last.made
}

/**
 * Everything that can be done now, as it was when the palette opened: nothing moves below the pointer, but once for
 * each of the list, the models and the site that are read later.
 */
function useCommandGroups(element: Element | null): readonly CommandGroup[] {
  const text = useText()
  const navigate = useNavigate()
  const {chat, media, capabilities, bulk} = useAppInfo()
  const english = use(englishWords(wordsOfCommands))
  const hasTasks = media.tasks() !== undefined || media.storedEnds().size > 0
  const groupTasks = hasTasks ? use(loadTaskCommands()) : undefined
  const pathname = useLocation({select: (location) => location.pathname})
  const tool = toolOfPath(pathname)
  if (tool !== undefined && isMediaTool(tool)) use(loadResultMenus())
  const {locale} = useLanguage()
  const [loadingLabels, loadingOthers] = [englishLabels(locale, wordsOfPage(pathname)), otherWords(locale)]
  const labels = use(loadingLabels)
  const others = use(loadingOthers)
  const site = useSelector(useAppActor('site'), selectSite)
  const conversations = useSessionActor('conversations')
  const servedModels = useSelector(useSessionActor('provisioning/chat'), selectServedModels)
  const {onTheme, onLocale} = usePreferences()
  const offersImport = useOffersImport()
  const root = useRoot()
  const user = useSelector(useAppActor('auth'), selectUser)
  const isListRead = useSelector(conversations, (list) => list !== undefined && selectStatus(list) === 'success')
  const readCount = [isListRead, servedModels.length > 0, site !== undefined].filter(Boolean).length
  const groups = useMadeFrom(readCount, () => {
    const making: Making = {text, english, go: (href) => void navigate({href})}
    const tools = enabledTools(site?.features)
    const current = tool?.group === 'chat' ? tool.id : pathname === '/' ? 'chatgpt' : undefined
    const chats = {chat, conversations, served: servedModels, current}
    const archive = archiveCommand(making, tools, {...chats, navigate: (href) => navigate({href})})
    const headings = {
      focused: text('index.commandFocused'),
      last: text('index.commandLastMessage'),
      conversation: text('index.commandConversation'),
    }
    const all = [
      // the first entry is what Enter runs: it does not depend on where the focus was
      actionGroup(making, {
        print: offersPrint() ? () => print() : undefined,
        signOut: user && (() => void signOut(root, bulk)),
      }),
      ...focusedCommands(element?.isConnected === true ? element : null, headings, text('index.palette'), labels),
      conversationGroup(making, chats),
      ...(groupTasks === undefined ? [] : [groupTasks(making, media, tools)]),
      toolGroup(making, tools),
      pageGroup(making, capabilities.includes('shares'), archive),
      modelGroup(making, tools, chats),
      settingsGroup(making, {onTheme, onLocale, offersImport, locale}),
    ]
    const completeGroups = all.map((group) => withMoreWords(group, {english: labels, others}))
    return locale === 'sr' ? completeGroups.map(withLatin) : completeGroups
  })
  const isEditor = useIsSiteEditor()
  return useMemo(() => (isEditor ? groups : withoutSite(groups)), [isEditor, groups])
}

/** Hands the query over to the search of messages; undefined if there are no conversations. */
function useMessageSearch() {
  const text = useText()
  const navigate = useNavigate()
  const pathname = useLocation({select: (location) => location.pathname})
  const site = useSelector(useAppActor('site'), selectSite)
  const conversations = useSessionActor('conversations')
  const hasRecords = useSelector(conversations, (list) => list !== undefined && selectItems(list).length > 0)
  const tool = toolOfPath(pathname)
  const chat = enabledTools(site?.features).find(({group}) => group === 'chat')
  if (conversations === undefined || !hasRecords || chat === undefined) return undefined
  const isHere = tool?.group === 'chat' || pathname === '/'
  const toChat = async () => {
    if (!isHere) await navigate({href: chat.path})
  }
  return (query: string): CommandEntry => ({
    id: 'searchMessages',
    label: text('index.commandSearchMessages', {query}),
    icon: <SearchIcon />,
    run: () => void showSearch({conversations, query, toChat}),
  })
}

/** The command palette with the actors of the session. */
export function PaletteZone({onClose}: {onClose: () => void}) {
  // before the dialog takes the focus
  const [focusedElement] = useState(() => document.activeElement)
  const groups = useCommandGroups(focusedElement)
  const recent = useMemo(recentCommands, [])
  const searchOf = useMessageSearch()
  const run = ({id, run: start}: CommandEntry) => {
    if (groups.some(({entries}) => entries.some((entry) => entry.id === id))) rememberCommand(id)
    onClose()
    // once the dialog has given the focus back: some commands move it
    setTimeout(start)
  }
  return (
    <CommandPalette
      groups={groups}
      recent={recent}
      isToggle={(event) => chordOf(event.nativeEvent) === keysOf('palette')}
      searchOf={searchOf}
      onRun={run}
      onClose={onClose}
    />
  )
}
