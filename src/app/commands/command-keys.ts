import {useActor} from '@xstate/react'
import {useEffect, useMemo, useSyncExternalStore} from 'react'
import {defaultKeys, isApple, keysOf, type CommandId} from '#browser/commands.ts'
import {chordOf} from '#browser/key-chord.ts'
import {keyboardLayout} from '#browser/keyboard-layout.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {singleKeys} from '#browser/single-keys.ts'
import {isModifier, type KeyRefusal} from '#domain/command-keys.ts'
import type {CommandKeys} from '#features/shell/commands/key-list.tsx'
import {
  commandKeysMachine,
  selectClash,
  selectIsChanged,
  selectKeys,
  selectSaying,
} from '#machines/command-keys/command-keys.machine.ts'
import {shownKeys} from '#ui/kbd.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'

/** Names of the commands that have keys. */
export const commandNames: Record<CommandId, MessageId> = {
  palette: 'index.palette',
  newChat: 'index.newChat',
  focusField: 'index.commandFocusField',
  copyLast: 'index.commandCopyLast',
  find: 'chat.find',
  searchList: 'chat.searchLabel',
  stop: 'index.commandStop',
  undo: 'common.undo',
  togglePanel: 'index.commandTogglePanel',
  settings: 'index.settings',
  shortcuts: 'index.shortcutSheet',
}
// as: the keys of an object are typed as any text
export const commandIds = Object.keys(commandNames) as CommandId[]

type FixedKeys = {
  chords: readonly string[]
  label: MessageId
  /** Message that names the subject of the label. */
  of?: MessageId
  /** As they are listed; undefined: the chords. */
  shown?: string
}

/** Keys that views take where the focus is; no command can have them. */
const fixedKeys: readonly FixedKeys[] = [
  {chords: ['Mod+Enter'], label: 'index.shortcutSend'},
  {chords: ['ArrowUp'], label: 'index.shortcutEditLast'},
  {chords: ['J', 'K'], label: 'index.shortcutCards'},
  {
    chords: ['D', 'R', 'S', 'U', 'X', ...'123456789'],
    label: 'index.shortcutCardActions',
    shown: 'D R S U X 1 … 9',
  },
  {chords: ['F6'], label: 'index.shortcutNotices'},
  {chords: ['F2'], of: 'chat.conversations', label: 'chat.rename'},
  {chords: ['Delete'], of: 'chat.conversations', label: 'chat.remove'},
  {chords: ['Space'], of: 'chat.conversations', label: 'chat.severalSelect'},
  {chords: ['Alt+ArrowUp'], of: 'chat.followUps', label: 'chat.followUpUp'},
  {chords: ['Alt+ArrowDown'], of: 'chat.followUps', label: 'chat.followUpDown'},
  {chords: ['Shift+Enter'], of: 'chat.model', label: 'chat.modelFavourites'},
]
const fixedChords = fixedKeys.flatMap(({chords}) => chords)
const labelOf = ({of, label}: FixedKeys, text: Text) => (of === undefined ? text(label) : `${text(of)}: ${text(label)}`)

const keyNames: Partial<Record<string, string>> = {
  Enter: '↵',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** Keys that have no letter or digit, by their code, with what an English keyboard has there. */
const codeNames: Partial<Record<string, string>> = {
  Backquote: '`',
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  IntlBackslash: '§',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
}

type Layout = ReturnType<typeof keyboardLayout.get>

/** As it is written on the keyboard. With Option a letter is that of its position, as layouts have others there. */
function keyName(keys: string, name: string, layout: Layout): string {
  if (keyNames[name] !== undefined) return keyNames[name]
  if (codeNames[name] !== undefined) return layout.get(name) ?? codeNames[name]
  const isOption = isApple() && keys.includes('Alt+')
  const letter = isOption ? layout.get(`Key${name}`) : undefined
  return letter !== undefined && /^[a-z]$/.test(letter) ? letter.toUpperCase() : name
}

/** Keys as they stand on the keyboard. */
const namedKeys = (keys: string, layout: Layout) =>
  shownKeys(keys.replace(/(?<![^+])[^+]+$/, (name) => keyName(keys, name, layout)))

/** The keys of a command as they are shown. */
export const shownKeysOf = (id: CommandId): string => namedKeys(keysOf(id), keyboardLayout.get())

const logic = commandKeysMachine.provide({
  actions: {storeKeys: (_, {changed}) => keyBindings.set(changed)},
})

/** Why keys were refused. */
function refusalText(refusal: KeyRefusal<string>, text: Text, layout: Layout): string {
  const keys = namedKeys(refusal.keys, layout)
  if (refusal.reason === 'taken')
    // as: refused for one of these commands
    return text('index.shortcutTaken', {keys, command: text(commandNames[refusal.by as CommandId])})
  const use = fixedKeys.find(({chords}) => refusal.reason === 'fixed' && chords.includes(refusal.keys))
  return use === undefined
    ? text('index.shortcutBrowser', {keys})
    : text('index.shortcutInUse', {keys, use: labelOf(use, text)})
}

/** The list of keys with the actor that changes them. */
export function useKeyList() {
  const text = useText()
  const [snapshot, send] = useActor(logic, {
    input: {first: defaultKeys, changed: definedOf(keyBindings.get()), fixed: fixedChords},
  })
  useEffect(
    () => keyBindings.subscribe(() => send({type: 'keys.stored', changed: definedOf(keyBindings.get())})),
    [send],
  )
  const layout = useSyncExternalStore(keyboardLayout.subscribe, keyboardLayout.get)
  const hasSingleKeys = useSyncExternalStore(singleKeys.subscribe, singleKeys.get)
  const commands = useMemo(
    () =>
      commandIds.map((id): CommandKeys => {
        const saying = selectSaying(snapshot, id)
        const keys = namedKeys(selectKeys(snapshot, id), layout)
        const label = text(commandNames[id])
        const isChanged = selectIsChanged(snapshot, id)
        const note = saying ?? selectClash(snapshot, id)
        const isAwaited = saying !== undefined && snapshot.hasTag('listening')
        if (note === undefined || note === 'press') return {id, label, keys, isChanged, isAwaited}
        return {id, label, keys, isChanged, isAwaited, refusal: refusalText(note, text, layout)}
      }),
    [snapshot, text, layout],
  )
  return {
    commands,
    fixed: fixedKeys.map((use) => ({
      keys: use.shown ?? use.chords.map((keys) => namedKeys(keys, layout)).join(' '),
      label: labelOf(use, text),
    })),
    hasSingleKeys,
    onSingleKeys: singleKeys.set,
    onChange: (command: string) => send({type: 'keys.change', command}),
    onPress: (event: KeyboardEvent) => {
      if (event.key === 'Escape') send({type: 'keys.cancel'})
      else if (!isModifier(event.key)) send({type: 'keys.press', chord: chordOf(event)})
    },
    onCancel: () => send({type: 'keys.cancel'}),
    onReset: (command: string) => send({type: 'keys.reset', command}),
    onResetAll: () => send({type: 'keys.resetAll'}),
  }
}

const definedOf = (bindings: Partial<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(bindings).flatMap(([id, keys]) => (keys === undefined ? [] : [[id, keys]])))
