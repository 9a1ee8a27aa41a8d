import {usedCommands} from './remembered-value.ts'

const most = 12

/** Pages, tools, settings, models and actions. What a part of the page or a record offers has words of the user. */
const lasting = /^(?:(?:page|tool|history|settings|theme|language|model)\/\S+|(?!signOut$)\w+)$/

/** Ids of the commands that were run last, the last one first. */
export const recentCommands = () => usedCommands.get().filter((id) => lasting.test(id))

export function rememberCommand(id: string) {
  if (!lasting.test(id)) return
  usedCommands.set([id, ...recentCommands().filter((other) => other !== id)].slice(0, most))
}
