import {useActor} from '@xstate/react'
import {useMemo, useSyncExternalStore} from 'react'
import {defaultKeys, keysOf, type CommandId} from '#browser/commands.ts'
import {chordOf} from '#browser/key-press.ts'
import {keyBindings} from '#browser/remembered.ts'
import {singleKeys} from '#browser/single-keys.ts'
import {isModifier} from '#domain/command-keys.ts'
import type {CommandKeys} from '#features/shell/commands/key-list.tsx'
import {
  commandKeysMachine,
  selectIsChanged,
  selectKeys,
  selectSaying,
} from '#machines/command-keys/command-keys.machine.ts'
import {shownKeys} from '#ui/kbd.tsx'
import {useText, type MessageId} from '#ui/text.tsx'

/** Names of the commands that have keys. */
export const commandNames: Record<CommandId, MessageId> = {
  palette: 'index.palette',
  newChat: 'index.newChat',
  focusField: 'index.commandFocusField',
  copyLast: 'index.commandCopyLast',
  find: 'chat.find',
  stop: 'index.commandStop',
  undo: 'common.undo',
  togglePanel: 'index.commandTogglePanel',
  shortcuts: 'index.shortcutSheet',
}
// as: the keys of an object are typed as any text
export const commandIds = Object.keys(commandNames) as CommandId[]

/** `of`: what the label says it of. */
const fixedKeys: readonly {keys: string; label: MessageId; of?: MessageId}[] = [
  {keys: 'Mod+↵', label: 'index.shortcutSend'},
  {keys: '↑', label: 'index.shortcutEditLast'},
  {keys: 'J K', label: 'index.shortcutCards'},
  {keys: 'F6', label: 'index.shortcutNotices'},
  {keys: 'F2', of: 'chat.conversations', label: 'chat.rename'},
  {keys: 'Delete', of: 'chat.conversations', label: 'chat.remove'},
  {keys: 'Space', of: 'chat.conversations', label: 'chat.severalSelect'},
  {keys: 'Alt+↑', of: 'chat.followUps', label: 'chat.followUpUp'},
  {keys: 'Alt+↓', of: 'chat.followUps', label: 'chat.followUpDown'},
  {keys: 'Shift+↵', of: 'chat.model', label: 'chat.modelFavourites'},
]

const keyNames: Partial<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const namedKeys = (keys: string) => shownKeys(keys).replace(/Escape|Arrow\w+/, (name) => keyNames[name] ?? name)

/** The keys of a command as they are shown. */
export const shownKeysOf = (id: CommandId): string => namedKeys(keysOf(id))

const logic = commandKeysMachine.provide({
  actions: {storeKeys: (_, {changed}) => keyBindings.set(changed)},
})

/** The list of keys with the actor that changes them. */
export function useKeyList() {
  const text = useText()
  const [snapshot, send] = useActor(logic, {input: {first: defaultKeys, changed: definedOf(keyBindings.get())}})
  const hasSingleKeys = useSyncExternalStore(singleKeys.subscribe, singleKeys.get)
  const commands = useMemo(
    () =>
      commandIds.map((id): CommandKeys => {
        const saying = selectSaying(snapshot, id)
        const keys = namedKeys(selectKeys(snapshot, id))
        const label = text(commandNames[id])
        const isChanged = selectIsChanged(snapshot, id)
        if (saying === undefined || saying === 'press')
          return {id, label, keys, isChanged, isAwaited: saying === 'press'}
        const refused = namedKeys(saying.keys)
        const refusal =
          saying.reason === 'browser'
            ? text('index.shortcutBrowser', {keys: refused})
            : // as: refused for one of these commands
              text('index.shortcutTaken', {keys: refused, command: text(commandNames[saying.by as CommandId])})
        return {id, label, keys, isChanged, isAwaited: snapshot.hasTag('listening'), refusal}
      }),
    [snapshot, text],
  )
  return {
    commands,
    fixed: fixedKeys.map(({keys, label, of}) => ({
      keys: shownKeys(keys),
      label: of === undefined ? text(label) : `${text(of)}: ${text(label)}`,
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
