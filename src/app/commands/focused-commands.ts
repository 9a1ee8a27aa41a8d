import {createElement} from 'react'
import {cutText} from '#domain/cut-text.ts'
import {foldText} from '#domain/fold-text.ts'
import type {CommandEntry, CommandGroup} from '#features/shell/commands/command-entry.ts'
import {menuEntries} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'

/**
 * Elements with actions of their own: messages and cards, rows of a list, the form of a tool. The message field has its
 * buttons beside it.
 */
const rows = 'li, [role="listitem"]'
const scopes = `article, ${rows}, form:not([data-composer])`
/** Parts of a message with buttons of their own: they are offered where the focus is, not of every last message. */
const parts = 'figure, table'
/** A card of four results has some forty; an answer may have any number of links. */
const most = 100

const isShown = (element: Element) => element.checkVisibility?.() ?? true

/** Elements that may begin or end within a word: a hit of the search, emphasis. */
const phrases = 'mark, em, strong, code'

/** The words of an element; those of its parts stand apart, though nothing but a style divides them. */
function wordsIn(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? ''
  const words = [...node.childNodes].map(wordsIn).join('')
  return node.matches(phrases) ? words : ` ${words} `
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const nameOf = (element: Element): string => oneLine(element.getAttribute('aria-label') ?? wordsIn(element))

/** UTF-16 units of a title beside which a phone shows what is done with it. */
const mostOfTitle = 24

/**
 * The title of a card as the names of its buttons have it in the palette, and what shortens it there: many languages say
 * after it what is done, and a line would end before that.
 */
function titleOf(scope: Element): {title: string; shorten: (name: string) => string} {
  const id = scope.getAttribute('aria-labelledby') ?? ''
  const whole = nameOf(document.getElementById(id) ?? document.createElement('i'))
  if (whole.length <= mostOfTitle) return {title: whole, shorten: (name) => name}
  const title = `${cutText(whole, mostOfTitle).trimEnd()}…`
  return {title, shorten: (name) => name.replace(whole, () => title)}
}

/** A copy of the icon of a button. */
function iconOf(button: Element) {
  const icon = button.querySelector('svg')
  if (icon === null) return undefined
  return createElement('i', {
    ref: (container: Element | null) => {
      const copy = icon.cloneNode(true) as SVGElement // as: the copy of an icon
      for (const side of ['width', 'height']) copy.setAttribute(side, '16')
      container?.replaceChildren(copy)
    },
  })
}

type OfMenu = {id: string; icon: CommandEntry['icon']; note?: string}

/**
 * `note`: the heading or submenu of the entries, without which *Kling* does not say what is done with it. `icon`: that
 * of the menu's button, for entries without one of their own.
 */
function ofMenu(entries: readonly MenuEntry[], {id, icon, note}: OfMenu): CommandEntry[] {
  return entries.flatMap((entry): CommandEntry[] => {
    if (entry.kind === 'separator') return []
    const inner = {id: `${id}/${entry.id}`, icon, note: entry.label}
    if (entry.kind === 'group') return ofMenu(entry.items, inner)
    if (entry.kind === 'submenu') return ofMenu(entry.entries, inner)
    const {onSelect, disabled} = entry
    if (onSelect === undefined || disabled === true) return []
    return [{id: inner.id, label: entry.label, note: entry.use ?? note, icon: entry.icon ?? icon, run: onSelect}]
  })
}

/** The buttons and links of a scope: its own, then those of its code and tables, unless the focus is in one of these. */
function buttonsIn(scope: Element, without: string | undefined, focused: Element | null | undefined): HTMLElement[] {
  const all = [...scope.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]:not([aria-current])')]
  if (focused?.closest(parts)) return all
  const isOwn = (button: Element) => button.closest(parts) === null
  const others = without === undefined ? all.filter((button) => !isOwn(button)) : []
  return [...all.filter(isOwn), ...others]
}

/** Characters that a language may set between a title and what is done with it. */
const mostOfParticle = 1

/** *Download Harbour* on a card is the *Download* of its menu: one of them is enough, with the icon of the button. */
function withoutNamed(entries: readonly CommandEntry[], title: string): CommandEntry[] {
  if (title === '') return [...entries]
  const bare = ({label}: CommandEntry) => foldText(oneLine(label.replace(title, '')))
  const isNamed = (entry: CommandEntry) => entry.label.includes(title)
  const isSame = (button: CommandEntry, {label}: CommandEntry) => {
    const word = foldText(label)
    return bare(button).endsWith(word) && bare(button).length - word.length <= mostOfParticle
  }
  const isPlain = (entry: CommandEntry) => entry.note === undefined && !isNamed(entry)
  return entries.flatMap((entry) => {
    if (isNamed(entry)) return entries.some((other) => isPlain(other) && isSame(entry, other)) ? [] : [entry]
    const button = isPlain(entry) ? entries.find((other) => isNamed(other) && isSame(other, entry)) : undefined
    return [button?.icon === undefined ? entry : {...entry, icon: button.icon}]
  })
}

/**
 * The commands of a part of the page are its own buttons, and what their menus offer (docs/decisions/0057): what a view
 * gains is here at once, and nothing is offered that it does not offer.
 */
function commandsIn(scope: Element, id: string, without?: string, focused?: Element | null): CommandEntry[] {
  const buttons = buttonsIn(scope, without, focused)
  const {title, shorten} = titleOf(scope)
  const all = buttons.flatMap((button): CommandEntry[] => {
    const items = menuEntries(button)
    // a row shows the button of its menu to a pointer alone; a menu whose entries could not be loaded is its button
    if (items.length > 0) return ofMenu(items, {id, icon: iconOf(button)})
    const label = shorten(nameOf(button))
    if (label === '' || !isShown(button)) return []
    return [{id: `${id}/${label}`, label, icon: iconOf(button), run: () => button.click()}]
  })
  const entries = withoutNamed(all, title)
  const lines = new Set<string>()
  const lineOf = ({label, note}: CommandEntry) => `${label}\n${note}`
  // before anything is typed the first few are listed: actions come before choices of a submenu
  return [...entries.filter(({note}) => note === undefined), ...entries.filter(({note}) => note !== undefined)]
    .filter((entry) => !lines.has(lineOf(entry)) && lines.add(lineOf(entry)))
    .slice(0, most)
}

/** The entries of the menu in the head of a conversation; its search has keys and stands among the actions. */
function commandsOfHead(): CommandEntry[] {
  const button = document.querySelector('[data-thread-menu]')
  if (button === null) return []
  const entries = ofMenu(menuEntries(button), {id: 'conversation', icon: iconOf(button)})
  return entries.filter(({id}) => id !== 'conversation/find')
}

/** A conversation's commands by its row and by its head, each once; a focused row lists them as its own. */
function commandsOfConversation(row: Element | undefined, focused: Element | undefined): CommandEntry[] {
  const entries = row === undefined ? [] : commandsIn(row, 'conversation')
  const ids = new Set(entries.map(({id}) => id))
  const headEntries = commandsOfHead().filter(({id}) => !ids.has(id))
  return row === focused ? headEntries : [...entries, ...headEntries]
}

type Headings = {focused: string; last: string; conversation: string}

/**
 * Commands for the focused element, the newest message, and the open conversation in the list. `opener`: name of the
 * button that opens the palette, which is not offered in it. `english`: the English of a label in another language.
 */
export function focusedCommands(
  focusedElement: Element | null,
  headings: Headings,
  opener: string,
  english: (label: string) => string | undefined = () => undefined,
): CommandGroup[] {
  const scope = focusedElement?.closest(scopes) ?? undefined
  const last = [...document.querySelectorAll('[role="log"] article')].at(-1)
  const row =
    document.querySelector(`:is(${rows}) [aria-current="page"][href*="/conversations/"]`)?.closest(rows) ?? undefined
  const groups: (CommandGroup | undefined)[] = [
    scope && {
      id: 'focused',
      heading: headings.focused,
      entries: commandsIn(scope, 'focused', undefined, focusedElement),
    },
    last && last !== scope ? {id: 'last', heading: headings.last, entries: commandsIn(last, 'last', parts)} : undefined,
    {
      id: 'conversation',
      heading: headings.conversation,
      entries: commandsOfConversation(row, scope),
    },
  ]
  return groups
    .filter((group) => group !== undefined)
    .map((group) => ({
      ...group,
      entries: group.entries
        .filter(({label}) => label !== opener)
        .map((entry) => ({...entry, words: `${english(entry.label) ?? ''} ${english(entry.note ?? '') ?? ''}`.trim()})),
    }))
    .filter(({entries}) => entries.length > 0)
}
