import {remembered} from './remembered-value.ts'

const most = 12

/** Ids of the commands that were run from the palette, the last one first. */
const recent = remembered(
  'atrium.commands',
  (text) => (text ?? '').split(' ').filter(Boolean).slice(0, most),
  (ids) => ids.join(' '),
)

export const recentCommands = () => recent.get()

export const rememberCommand = (id: string) =>
  recent.set([id, ...recent.get().filter((other) => other !== id)].slice(0, most))
