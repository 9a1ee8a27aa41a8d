import type {Locator, Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {defaultKeys} from '#browser/commands.ts'
import {
  commandKeysMachine,
  selectIsChanged,
  selectKeys,
  type CommandKeysSnapshot,
} from '#machines/command-keys/command-keys.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {bothOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'

/*
 * The list of keys shows what its machine says, over every edge of the graph generated from the machine: two commands,
 * each with its first keys, with free ones, and the second also with the first keys of the other.
 */

type Command = 'palette' | 'newChat'
type Action =
  | 'change palette'
  | 'change newChat'
  | 'press Mod+K'
  | 'press Mod+E'
  | 'press Mod+T'
  | 'press F2'
  | 'cancel'
  | 'reset palette'
  | 'reset newChat'
  | 'reset all'
  | 'reopen'
type Saying = 'nothing' | 'first keys taken' | `${Command}: ${'press' | 'taken' | 'browser' | 'fixed'}`
type Keys = 'K O' | 'E O' | 'K E' | 'E K'
type Shown = `${Saying}, ${Keys}`

const machine = commandKeysMachine.provide({actions: {storeKeys: () => undefined}})
const send = sender(machine)
const start = (changed: Record<string, string> = {}) =>
  initialTransition(machine, {first: defaultKeys, changed, fixed: ['F2']})[0]

const awaits = (command: Command) => (snapshot: CommandKeysSnapshot) =>
  snapshot.hasTag('listening') && snapshot.context.command === command
const isListening = (snapshot: CommandKeysSnapshot) => snapshot.hasTag('listening')
const change = (command: Command) =>
  where<CommandKeysSnapshot>(
    (snapshot) => !awaits(command)(snapshot),
    (snapshot) => send(snapshot, {type: 'keys.change', command}),
  )
const press = (chord: string) =>
  where<CommandKeysSnapshot>(isListening, (snapshot) => send(snapshot, {type: 'keys.press', chord}))
const reset = (command: Command) =>
  where<CommandKeysSnapshot>(
    (snapshot) => selectIsChanged(snapshot, command),
    // a click elsewhere ends the wait
    (snapshot) => send(snapshot, {type: 'keys.cancel'}, {type: 'keys.reset', command}),
  )

function sayingOf({context: {command, refusal}, ...snapshot}: CommandKeysSnapshot): Saying {
  if (snapshot.matches('resting')) return 'nothing'
  if (snapshot.matches('refused')) return 'first keys taken'
  // as: no other command is changed here
  return `${command as Command}: ${refusal?.reason ?? 'press'}`
}
const letter = (snapshot: CommandKeysSnapshot, command: Command) => selectKeys(snapshot, command).at(-1) ?? ''

const chart: Chart<CommandKeysSnapshot, Action, Shown> = {
  start,
  effects: {
    'change palette': change('palette'),
    'change newChat': change('newChat'),
    'press Mod+K': press('Mod+K'),
    'press Mod+E': press('Mod+E'),
    'press Mod+T': press('Mod+T'),
    'press F2': press('F2'),
    cancel: where(isListening, (snapshot) => send(snapshot, {type: 'keys.cancel'})),
    'reset palette': reset('palette'),
    'reset newChat': reset('newChat'),
    'reset all': where(
      ({context}) => Object.keys(context.changed).length > 0,
      (snapshot) => send(snapshot, {type: 'keys.cancel'}, {type: 'keys.resetAll'}),
    ),
    reopen: where(
      (snapshot) => !isListening(snapshot),
      ({context}) => start(context.changed),
    ),
  },
  // as: the presses above lead to no other keys
  shownBy: (snapshot) =>
    `${sayingOf(snapshot)}, ${letter(snapshot, 'palette')} ${letter(snapshot, 'newChat')}` as Shown,
}

const names: Record<Command, string> = {palette: 'Search and commands', newChat: 'New chat'}
const sheet = (page: Page) => page.getByRole('dialog', {name: 'Keyboard shortcuts'})
const keysOf = (page: Page, command: Command): Locator =>
  sheet(page).getByRole('button', {name: `Change the keys of “${names[command]}”: `})
const resetOf = (page: Page, command: Command) =>
  sheet(page).getByRole('button', {name: `Reset the keys of “${names[command]}”`})
const open = async (page: Page) => {
  await composer(page).blur()
  await page.keyboard.press('?')
  await sheet(page).waitFor()
}

const done: {[Name in Action]: (page: Page) => Promise<unknown>} = {
  'change palette': (page) => keysOf(page, 'palette').click(),
  'change newChat': (page) => keysOf(page, 'newChat').click(),
  'press Mod+K': (page) => page.keyboard.press('ControlOrMeta+k'),
  'press Mod+E': (page) => page.keyboard.press('ControlOrMeta+e'),
  'press Mod+T': (page) => page.keyboard.press('ControlOrMeta+t'),
  'press F2': (page) => page.keyboard.press('F2'),
  cancel: (page) => page.keyboard.press('Escape'),
  'reset palette': (page) => resetOf(page, 'palette').click(),
  'reset newChat': (page) => resetOf(page, 'newChat').click(),
  'reset all': (page) => sheet(page).getByRole('button', {name: 'Reset all keys'}).click(),
  reopen: async (page) => {
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toHaveCount(0)
    await open(page)
  },
}

const says = (words: string | RegExp | undefined, awaited?: Command) => async (page: Page) => {
  await expect(sheet(page).getByRole('status')).toHaveText(words === undefined ? [] : [words])
  for (const command of ['palette', 'newChat'] as const)
    await expect(keysOf(page, command)).toHaveAttribute('aria-pressed', String(command === awaited))
}
const asks = (command: Command) => says('Press the new keys. Esc keeps the old ones.', command)
const browsers = (command: Command) => says('Ctrl T belongs to the browser. Choose other keys.', command)
const views = (command: Command) => says('F2 is used for “Conversations: Rename”. Choose other keys.', command)
const shows = (palette: string, newChat: string, changed: readonly Command[]) => async (page: Page) => {
  await expect(keysOf(page, 'palette')).toHaveAccessibleName(new RegExp(`: ${palette}$`))
  await expect(keysOf(page, 'newChat')).toHaveAccessibleName(new RegExp(`: ${newChat}$`))
  for (const command of ['palette', 'newChat'] as const)
    await expect(resetOf(page, command)).toHaveCount(changed.includes(command) ? 1 : 0)
  await expect(sheet(page).getByRole('button', {name: 'Reset all keys'})).toHaveCount(changed.length > 0 ? 1 : 0)
}
const expected = bothOf(
  {
    nothing: says(undefined),
    'first keys taken': says('Ctrl K belongs to “New chat”. Change that one first.'),
    'palette: press': asks('palette'),
    'palette: taken': says(/^Ctrl [EK] belongs to “New chat”\. Change that one first\.$/, 'palette'),
    'palette: browser': browsers('palette'),
    'palette: fixed': views('palette'),
    'newChat: press': asks('newChat'),
    'newChat: taken': says(/^Ctrl [EK] belongs to “Search and commands”\. Change that one first\.$/, 'newChat'),
    'newChat: browser': browsers('newChat'),
    'newChat: fixed': views('newChat'),
  },
  {
    'K O': shows('Ctrl K', 'Ctrl ⇧ O', []),
    'E O': shows('Ctrl E', 'Ctrl ⇧ O', ['palette']),
    'K E': shows('Ctrl K', 'Ctrl E', ['newChat']),
    'E K': shows('Ctrl E', 'Ctrl K', ['palette', 'newChat']),
  },
)

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(machine))
})

test('the list of keys shows what the machine says, over every edge', long, async ({chat}) => {
  await open(chat)
  await walkPage(chart, chat, {done, expected})
})
