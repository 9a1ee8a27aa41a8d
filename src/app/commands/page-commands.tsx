import {createElement} from 'react'
import type {CommandEntry, CommandGroup} from '#features/shell/commands/command-entry.ts'
import {languages} from '#features/shell/settings/languages.ts'
import type {ThemeSetting} from '#features/shell/settings/theme-choice.tsx'
import {groupIcons} from '#features/shell/rail.tsx'
import {isMediaTool, type Tool} from '#features/shell/tools.ts'
import {LanguageIcon, LogOutIcon, SettingsIcon} from '#ui/account-icons.tsx'
import {KeyboardIcon, PrintIcon} from '#ui/command-icons.tsx'
import {
  ChatIcon,
  ConsoleIcon,
  CopyIcon,
  InviteIcon,
  NewChatIcon,
  RetryIcon,
  SidebarIcon,
  StopIcon,
  UserIcon,
} from '#ui/icons.tsx'
import {EditIcon, SearchIcon} from '#ui/later-icons.tsx'
import {LinkIcon} from '#ui/message-icons.tsx'
import type {MessageId, Text} from '#ui/text.tsx'
import {offered, type CommandId} from '#browser/commands.ts'
import {openLayer} from '../shell/open-layer.ts'
import {commandIds, commandNames, shownKeysOf} from './command-keys.ts'
import {settingsTabs} from './settings.tsx'

/** The parts that make the commands of every page. */
export type Making = {
  text: Text
  english: (id: MessageId) => string | undefined
  go: (href: string) => void
}

/** `section`: the navigation's word for what a page is part of, which finds it as well. */
const pages: readonly {href: string; label: MessageId; icon: CommandEntry['icon']; section?: MessageId}[] = [
  {href: '/compare', label: 'index.commandCompare', icon: <ChatIcon />},
  {href: '/console/applications', label: 'index.applications', icon: <ConsoleIcon />, section: 'index.console'},
  {href: '/console/orders', label: 'index.orders', icon: <ConsoleIcon />, section: 'index.console'},
  {href: '/console/usages', label: 'index.usages', icon: <ConsoleIcon />, section: 'index.console'},
  {href: '/distribution', label: 'index.distribution', icon: <InviteIcon />},
  {href: '/distribution/history', label: 'index.rewards', icon: <InviteIcon />, section: 'index.distribution'},
  {href: '/distribution/invitees', label: 'index.invitees', icon: <InviteIcon />, section: 'index.distribution'},
  {href: '/profile', label: 'index.profile', icon: <UserIcon />},
  {href: '/site', label: 'index.menuSite', icon: <LanguageIcon />},
]

/** Leads to the shared links; offered where the back end shares conversations. */
const sharedLinks: (typeof pages)[number] = {
  ...{href: '/profile#shares', label: 'index.commandSharedLinks', section: 'index.profile'},
  icon: <LinkIcon />,
}

const commandOf = (href: string) => `page${href}`

export const pageGroup = (
  {text, english, go}: Making,
  offersShares: boolean,
  archive?: CommandEntry,
): CommandGroup => ({
  id: 'pages',
  heading: text('index.commandGoTo'),
  entries: [
    ...[...pages, ...(offersShares ? [sharedLinks] : [])].map(({href, label, icon, section}) => ({
      id: commandOf(href),
      label: text(label),
      words: english(label),
      ...(section && {moreWords: `${text(section)} ${english(section) ?? ''}`}),
      icon,
      run: () => go(href),
    })),
    ...(archive === undefined ? [] : [archive]),
  ],
})

/** Without the page of the site, for users who may not change it. */
export const withoutSite = (groups: readonly CommandGroup[]): readonly CommandGroup[] =>
  groups.map((group) => ({...group, entries: group.entries.filter(({id}) => id !== commandOf('/site'))}))

const commandIcons: Record<CommandId, CommandEntry['icon']> = {
  palette: <SearchIcon />,
  newChat: <NewChatIcon />,
  focusField: <EditIcon />,
  copyLast: <CopyIcon />,
  find: <SearchIcon />,
  searchList: <SearchIcon />,
  stop: <StopIcon />,
  undo: <RetryIcon />,
  togglePanel: <SidebarIcon />,
  settings: <SettingsIcon />,
  shortcuts: <KeyboardIcon />,
}

/** The commands without keys; undefined: there is nothing to print, or nobody to sign out. */
type OtherActions = {print: (() => void) | undefined; signOut: (() => void) | undefined}

const otherActions = {
  print: {label: 'index.commandPrint', icon: <PrintIcon />},
  signOut: {label: 'index.signOut', icon: <LogOutIcon />},
} as const

/** Commands with keys that something on the page offers now, and what every page can do. */
export function actionGroup({text, english}: Making, others: OtherActions): CommandGroup {
  const withKeys = commandIds.flatMap((id): CommandEntry[] => {
    const run = offered(id)
    if (run === undefined || id === 'palette') return []
    const name = commandNames[id]
    return [{id, label: text(name), words: english(name), icon: commandIcons[id], keys: shownKeysOf(id), run}]
  })
  const withoutKeys = (['print', 'signOut'] as const).flatMap((id): CommandEntry[] => {
    const run = others[id]
    const {label, icon} = otherActions[id]
    return run === undefined ? [] : [{id, label: text(label), words: english(label), icon, run}]
  })
  return {id: 'actions', heading: text('index.commandActions'), entries: [...withKeys, ...withoutKeys]}
}

/** The icon of a tool's group, as on the rail. */
export const toolIcon = (tool: Pick<Tool, 'group'>) => createElement(groupIcons[tool.group])

/** The tools that a site offers and, for media tools, the page of their results. */
export const toolGroup = ({text, english, go}: Making, tools: readonly Tool[]): CommandGroup => ({
  id: 'tools',
  heading: text('index.tools'),
  entries: [
    ...tools.map((tool): CommandEntry => ({
      id: `tool/${tool.id}`,
      label: tool.name,
      note: text(`index.${tool.group}`),
      words: english(`index.${tool.group}`),
      icon: toolIcon(tool),
      run: () => go(`/${tool.id}`),
    })),
    ...tools.filter(isMediaTool).map(({id, name, group}): CommandEntry => ({
      id: `history/${id}`,
      label: text('index.history', {tool: name}),
      words: `${name} history`,
      icon: toolIcon({group}),
      run: () => go(`/${id}/history`),
    })),
  ],
})

type Preferences = {
  onTheme: (theme: ThemeSetting) => void
  onLocale: (locale: string) => void
  offersImport: boolean
  /** The language of the page, which has names of its own for the others. */
  locale: string
}

const themes: readonly {id: ThemeSetting; label: MessageId}[] = [
  {id: 'light', label: 'index.themeLight'},
  {id: 'dark', label: 'index.themeDark'},
  {id: 'system', label: 'index.themeSystem'},
]

/** The tabs of the settings, and the choices of theme and language themselves. */
export function settingsGroup(
  {text, english}: Making,
  {onTheme, onLocale, offersImport, locale}: Preferences,
): CommandGroup {
  const languageNames = new Intl.DisplayNames([locale], {type: 'language'})
  const named = (first: MessageId, second: string) => `${text(first)}: ${second}`
  return {
    id: 'settings',
    heading: text('index.settings'),
    entries: [
      ...settingsTabs.map(({id, label}): CommandEntry => ({
        id: `settings/${id}`,
        label: named('index.settings', text(label)),
        // each language is a command as well, whose name begins with that word
        words: `${english('index.settings')} ${english(label)} ${id === 'language' ? 'change language' : ''}`,
        icon: <SettingsIcon />,
        run: () => openLayer.set(id),
      })),
      ...(offersImport
        ? [
            {
              id: 'import',
              label: text('index.settingImport'),
              words: `${english('index.settingImport')} ChatGPT LobeChat JSON`,
              icon: <SettingsIcon />,
              run: () => openLayer.set('import'),
            },
          ]
        : []),
      {
        id: 'export',
        label: named('chat.conversations', text('chat.exportAll')),
        words: 'export conversations backup JSON Markdown',
        icon: <SettingsIcon />,
        run: () => openLayer.set('data'),
      },
      ...themes.map(({id, label}): CommandEntry => ({
        id: `theme/${id}`,
        label: named('index.themeTitle', text(label)),
        words: `${english('index.themeTitle')} ${english(label)}`,
        icon: <SettingsIcon />,
        run: () => onTheme(id),
      })),
      ...languages.map(({id, name, english: inEnglish}): CommandEntry => ({
        id: `language/${id}`,
        label: named('index.language', name),
        words: `${english('index.language')} ${inEnglish} ${languageNames.of(id) ?? ''}`,
        icon: <LanguageIcon />,
        run: () => onLocale(id),
      })),
    ],
  }
}
