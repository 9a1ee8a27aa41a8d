import {useLocation, useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {use, useMemo, useState} from 'react'
import {keysOf} from '#browser/commands.ts'
import {chordOf} from '#browser/key-press.ts'
import {recentCommands, rememberCommand} from '#browser/recent-commands.ts'
import type {CommandEntry, CommandGroup} from '#features/shell/commands/command-entry.ts'
import {CommandPalette} from '#features/shell/commands/command-palette.tsx'
import {enabledTools, toolOfPath} from '#features/shell/tools.ts'
import type {ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {useIsSiteEditor} from '../account/site-access.ts'
import {useAppInfo} from '../app-info.tsx'
import {englishWords} from '../english-words.ts'
import {focusedCommands} from './focused-commands.ts'
import {actionGroup, pageGroup, settingsGroup, toolGroup, withoutSite, type Making} from './page-commands.tsx'
import {useOffersImport} from './offers-import.ts'
import {usePreferences} from './preferences.ts'
import {conversationGroup, modelGroup} from './user-commands.tsx'

/** The same promise for each render. */
function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => (result ??= load())
}

/** A user without tasks loads no code of theirs. */
const loadTaskCommands = once(() => loadPart(() => import('./task-commands.tsx')))

const wordsOfCommands = ['commands', 'thread'] as const

const noModels: ReturnType<typeof selectServedModels> = []
const servedOf = (snapshot: ProvisioningSnapshot | undefined) =>
  snapshot === undefined ? noModels : selectServedModels(snapshot)

/** Everything that can be done now, as it was when the palette opened: nothing moves below the pointer. */
function useCommandGroups(focused: Element | null): readonly CommandGroup[] {
  const text = useText()
  const navigate = useNavigate()
  const {chat, media} = useAppInfo()
  const english = use(englishWords(wordsOfCommands))
  const hasTasks = media.tasks() !== undefined || media.storedEnds().size > 0
  const tasks = hasTasks ? use(loadTaskCommands()) : undefined
  const pathname = useLocation({select: (location) => location.pathname})
  const site = useSelector(useAppActor('site'), selectSite)
  const conversations = useSessionActor('conversations')
  const served = useSelector(useSessionActor('provisioning/chat'), servedOf)
  const {onTheme, onLocale} = usePreferences()
  const offersImport = useOffersImport()
  const [groups] = useState(() => {
    const making: Making = {text, english, go: (href) => void navigate({href})}
    const tools = enabledTools(site?.features)
    const tool = toolOfPath(pathname)
    const current = tool?.group === 'chat' ? tool.id : pathname === '/' ? 'chatgpt' : undefined
    const headings = {
      focused: text('index.commandFocused'),
      last: text('index.commandLastMessage'),
      conversation: text('index.commandConversation'),
    }
    return [
      ...focusedCommands(focused, headings),
      actionGroup(making),
      conversationGroup(making, {chat, conversations, served}),
      ...(tasks === undefined ? [] : [tasks.taskGroup(making, media, tools)]),
      toolGroup(making, tools),
      pageGroup(making),
      modelGroup(making, tools, {chat, conversations, served, current}),
      settingsGroup(making, {onTheme, onLocale, offersImport}),
    ]
  })
  const isEditor = useIsSiteEditor()
  return useMemo(() => (isEditor ? groups : withoutSite(groups)), [isEditor, groups])
}

/** The command palette with the actors of the session. */
export function PaletteZone({onClose}: {onClose: () => void}) {
  // before the dialog takes the focus
  const [focused] = useState(() => document.activeElement)
  const groups = useCommandGroups(focused)
  const recent = useMemo(recentCommands, [])
  const run = ({id, run: start}: CommandEntry) => {
    rememberCommand(id)
    onClose()
    // once the dialog has given the focus back: some commands move it
    setTimeout(start)
  }
  return (
    <CommandPalette
      groups={groups}
      recent={recent}
      isToggle={(event) => chordOf(event.nativeEvent) === keysOf('palette')}
      onRun={run}
      onClose={onClose}
    />
  )
}
